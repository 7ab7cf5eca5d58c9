/** The terminals of conversations: in their directory, started when somebody needs them, kept by the pty host. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationId } from '../../contract/ids.ts';
import type { BlockRecord, HostTerminal } from '../../contract/pty-host.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { Block, type TerminalKey, type TerminalState } from '../../contract/terminal.ts';
import { runningStateOf } from '../../core/terminal/running-state.ts';
import {
  isSharedTerminal,
  keyOfTerminal,
  nameOfTerminal,
  type TerminalName,
} from '../../core/terminal/terminal-key.ts';
import { type Clock, within } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { type HostLauncher, terminalEnvironment } from './host-launcher.ts';
import { createOwnTerminals } from './own-terminals.ts';
import { createPtyHostLink } from './pty-host-link.ts';
import { type BlockTranscript, recordBlocks } from './record-blocks.ts';
import { createTabs } from './terminal-tabs.ts';
import type { BlockEvent, ExecResult, Terminals } from './terminals.ts';
import { createViewing } from './viewing.ts';
import { waitFor } from './wait-for.ts';

export interface TerminalsOptions {
  readonly launcher: HostLauncher;
  readonly runDir: string;
  /** `conversations/<id>`. */
  readonly folderOf: (id: ConversationId) => string;
  readonly cwdOf: (id: ConversationId) => Promise<Result<string>>;
  readonly transcript: BlockTranscript;
  /** A running command has printed more; at most every 250 ms. */
  readonly onOutput: (id: ConversationId, block: BlockRecord) => void;
  readonly shell: string | undefined;
  readonly outputHeadBytes: number;
  readonly outputTailBytes: number;
  readonly env: NodeJS.ProcessEnv;
  /** Of the server. */
  readonly home: string;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface SharedTerminals extends Terminals {
  /** Takes over what outlived the last server. Returns after a limit: a host that does not answer by then is asked again later. */
  adopt(): Promise<void>;
  /** Before a conversation is deleted: nothing of it runs or is written any more. */
  release(id: ConversationId): Promise<void>;
  hostPid(): number | null;
  /** The process of each terminal's shell. */
  shellPids(): ReadonlyMap<number, TerminalName>;
  /** Ends the terminals that wait for a command; those that run one live on, and are found again. */
  stop(): Promise<void>;
}

const SIZE = { cols: 100, rows: 30 } as const;
/** Start-up files of a person may take a while. */
const FIRST_PROMPT_MS = 15_000;
const STOP_MS = 5_000;
/** A host that works answers in milliseconds; the start of the server waits no longer for one that does not. */
const ADOPT_MS = 2_000;
/** How often a host that did not answer is asked again. */
const ADOPT_AGAIN_MS = 5_000;
/** Of the time a stop of the server has; the host ends its idle shells also when nobody waits for it. */
const RETIRE_MS = 1_500;

/** The shell may have begun the command: running it elsewhere could run it twice. */
const ENDED_MEANWHILE = fail(
  'not_running',
  'the terminal ended while the command was being started: see what the command did before you run it again',
  { may_have_run: true },
);

/** The command is in the terminal, and nothing shows that the shell has begun it. */
const NOT_BEGUN = fail(
  'no_answer',
  'The shell of the terminal was given the command and did not begin it in time. It may be stopped, or busy with its own start. ' +
    'Look at the terminal, and see what the command did before you run it again.',
  { may_have_run: true },
);

export function createTerminals(options: TerminalsOptions): SharedTerminals {
  const { clock, log } = options;
  const own = createOwnTerminals(options.folderOf);
  const dirOf = (key: TerminalKey): string => {
    const { id, number } = nameOfTerminal(key);
    return isSharedTerminal(key) ? join(options.folderOf(id), 'agent_pty') : own.dirOf(id, number);
  };
  const link = createPtyHostLink({ ...options, dirOf });
  const recorder = recordBlocks({ ...options, dirOf, link });
  const listeners = new Set<(event: BlockEvent) => void>();
  const notify = (conversationId: ConversationId, kind: BlockEvent['kind'], record: BlockRecord) => {
    for (const listener of listeners) {
      listener({ conversationId, kind, shellId: record.shell_id, block: Block.parse(record) });
    }
  };
  link.listenAll((id, event) => {
    // What happens in a terminal of the person alone is told to its viewers and to nobody else: not to the transcript, not to a model.
    if (event.type !== 'block' || !isSharedTerminal(id)) return;
    if (event.kind === 'change') options.onOutput(id, event.record);
    else notify(id, event.kind, event.record);
  });
  const opening = new Map<TerminalKey, Promise<Result<TerminalState>>>();

  /** `running`: the terminal as the host knows it; null for one that does not run. */
  const stateOf = async (id: TerminalKey, running: HostTerminal | null): Promise<TerminalState> => {
    if (running !== null) return runningStateOf(running);
    const store = await link.store(id);
    const newest = store.all().at(-1);
    const cwd = await options.cwdOf(nameOfTerminal(id).id);
    return {
      shell_id: newest?.shell_id ?? null,
      is_running: false,
      shell: null,
      has_blocks: false,
      cwd: cwd.ok ? cwd.value : '',
      ...SIZE,
      cursor: newest === undefined ? 0 : newest.at + newest.output_bytes,
      at_prompt: false,
      last_exit_code: newest?.exit_code ?? null,
      last_block_seq: store.lastSeq(),
    };
  };

  const start = async (id: TerminalKey): Promise<Result<TerminalState>> => {
    const { id: conversationId } = nameOfTerminal(id);
    const cwd = await options.cwdOf(conversationId);
    if (!cwd.ok) return cwd;
    const request = {
      do: 'open',
      key: id,
      dir: dirOf(id),
      run_dir: join(options.runDir, 'shells'),
      cwd: cwd.value,
      command: [shellOf(options)],
      is_shell: true,
      // So that the command line reaches this server and this conversation from here, without being told.
      env: { ...terminalEnvironment(options.env), SIGNALBOX_HOME: options.home, SIGNALBOX_THREAD: conversationId },
      ...SIZE,
      output_head_bytes: options.outputHeadBytes,
      output_tail_bytes: options.outputTailBytes,
    } as const;
    // A host that ends with its last shell may go just now: then there is another one.
    for (let attempt = 1; ; attempt += 1) {
      const client = await link.connect();
      if (!client.ok) return client;
      const opened = await client.value.request({ ...request, command: [...request.command] });
      if (!opened.ok && opened.error.code === 'not_running' && attempt < 3) continue;
      if (!opened.ok) return opened;
      await link.settled(id);
      return ok(runningStateOf(opened.value));
    }
  };

  const open = (id: TerminalKey): Promise<Result<TerminalState>> => {
    const started = opening.get(id) ?? start(id).finally(() => opening.delete(id));
    opening.set(id, started);
    return started;
  };

  /** Resolves when `isDone` holds, the shell has ended, or the time is over. */
  const settled = (id: TerminalKey, timeoutMs: number, isDone: () => boolean): Promise<void> =>
    new Promise((done) => {
      const finish = () => {
        timer.cancel();
        stop();
        done();
      };
      const timer = clock.setTimer(timeoutMs, finish);
      const stop = link.listen(id, (event) => {
        if (event.type === 'gone' || isDone()) finish();
      });
      if (isDone()) finish();
    });

  /** A shell that has just been started is on its way to its first prompt; one that runs a command is busy. */
  const firstPrompt = async (id: TerminalKey): Promise<void> => {
    const store = await link.store(id);
    const isSettled = () => link.running(id)?.at_prompt === true || store.all().at(-1)?.status === 'running';
    await settled(id, FIRST_PROMPT_MS, isSettled);
  };

  const exec: Terminals['exec'] = async (id, { command, actor, timeoutMs }) => {
    const opened = await open(id);
    if (!opened.ok) return opened;
    if (!opened.value.has_blocks)
      return fail('not_running', `${opened.value.shell} does not tell where a command ends`);
    const store = await link.store(id);
    await firstPrompt(id);
    const client = link.client();
    if (client === null) return fail('not_running', 'the pty host has ended');
    const begun = await client.request({ do: 'exec', key: id, command, actor });
    if (!begun.ok && begun.error.code === 'no_answer') return NOT_BEGUN;
    if (!begun.ok) return begun.error.code === 'not_running' ? ENDED_MEANWHILE : begun;
    const isOver = () => (store.get(begun.value)?.status ?? 'running') !== 'running';
    await settled(id, timeoutMs, isOver);
    const record = store.get(begun.value);
    if (record === null) return fail('internal', 'the block was not told');
    const { text, omittedBytes } = await store.text(record);
    return ok({ block: Block.parse(record), text, truncated: omittedBytes > 0 } satisfies ExecResult);
  };

  const withClient = async <T>(
    id: TerminalKey,
    then: (client: NonNullable<ReturnType<typeof link.client>>) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const client = link.client();
    if (client === null || link.running(id) === null) return fail('not_running', 'the terminal does not run: open it');
    return then(client);
  };

  const close = async (id: TerminalKey): Promise<Result<null>> => {
    // A shell that is just being started would outlive its terminal.
    await opening.get(id);
    const client = link.client();
    if (client === null || link.running(id) === null) return ok(null);
    const gone = settled(id, STOP_MS, () => link.running(id) === null);
    const closed = await client.request({ do: 'close', key: id });
    await gone;
    return closed.ok || closed.error.code === 'not_running' ? ok(null) : closed;
  };

  let isStopping = false;
  const adoptWhenHeard = async (): Promise<void> => {
    while (!isStopping) {
      const found = await link.adopt();
      if (found.ok) {
        for (const { key } of found.value) {
          if (!isSharedTerminal(key)) continue;
          for (const record of await recorder.reconcile(key)) notify(key, 'end', record);
        }
        return;
      }
      log.warn({ error: found.error }, 'the terminals of the last server were not taken over');
      if (found.error.code !== 'no_answer') return;
      await clock.sleep(ADOPT_AGAIN_MS);
    }
  };

  const recordOf = async (id: TerminalKey, blockId: string) => {
    const store = await link.store(id);
    const record = store.get(blockId);
    return record === null ? fail('not_found', `there is no block ${blockId}`) : ok({ store, record });
  };

  const forget = (key: TerminalKey) => {
    recorder.forget(key);
    link.forgetStore(key);
  };

  return {
    ...createTabs({ link, own, close, forget }),
    open,
    state: async (id) => ok(await stateOf(id, await link.current(id))),
    async pushedState(id) {
      await link.settled(id);
      return ok(await stateOf(id, link.running(id)));
    },
    screen: (id) => withClient(id, (client) => client.request({ do: 'screen', key: id })),
    scrollback: (id, { lines, maxBytes }) =>
      withClient(id, async (client) => {
        const answer = await client.request({ do: 'scrollback', key: id, lines });
        return answer.ok ? ok(fitBytes(answer.value, maxBytes)) : answer;
      }),
    async blocks(id, query) {
      const store = await link.store(id);
      return ok({ blocks: await store.page(query), last_seq: store.lastSeq() });
    },
    async block(id, blockId) {
      const found = await recordOf(id, blockId);
      return found.ok ? ok(Block.parse(found.value.record)) : found;
    },
    async output(id, blockId, { offset, maxBytes, keepsColors = false }) {
      const found = await recordOf(id, blockId);
      return found.ok ? ok(await found.value.store.output(found.value.record, offset, maxBytes, keepsColors)) : found;
    },
    exec,
    async typeCommand(id, { command, actor }) {
      const opened = await open(id);
      if (!opened.ok) return opened;
      // Typed before the first prompt, the line is echoed twice: by the kernel and by the shell.
      if (opened.value.has_blocks) await firstPrompt(id);
      return withClient(id, async (client) => {
        const before = await link.current(id);
        if (before === null) return ENDED_MEANWHILE;
        const typed = await client.request({ do: 'input', key: id, data: `${command}\r`, actor });
        return typed.ok ? ok({ cursor: before.cursor }) : typed;
      });
    },
    send: (id, { data, actor }) => withClient(id, (client) => client.request({ do: 'input', key: id, data, actor })),
    waitFor: (id, request) => waitFor(link, clock, id, request),
    interrupt: (id) =>
      withClient(id, (client) => client.request({ do: 'input', key: id, data: '\u0003', actor: 'user' })),
    resize: (id, size) => withClient(id, (client) => client.request({ do: 'resize', key: id, ...size })),
    close,
    attach: createViewing(link),
    onBlock(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async adopt() {
      await within(clock, ADOPT_MS, adoptWhenHeard());
    },
    async release(id) {
      const listed = (await own.read(id)).map((number) => keyOfTerminal({ id, number }));
      const running = link.all().flatMap(({ key }) => (nameOfTerminal(key).id === id ? [key] : []));
      const keys = [...new Set([id, ...listed, ...running])];
      await Promise.all(keys.map(close));
      await recorder.drain();
      keys.forEach(forget);
    },
    hostPid: () => options.launcher.find()?.pid ?? null,
    shellPids: () => new Map(link.all().map(({ pid, key }) => [pid, nameOfTerminal(key)])),
    async stop() {
      isStopping = true;
      await link.client()?.request({ do: 'retire' }, RETIRE_MS);
      await recorder.drain();
      link.close();
    },
  };
}

/** The one the person chose, the one of their account, or whatever is there. */
function shellOf({ shell, env }: TerminalsOptions): string {
  const wanted = [shell, env.SHELL, '/bin/bash', '/bin/sh'].find((path) => path !== undefined && existsSync(path));
  return wanted ?? '/bin/sh';
}

/** Whole lines from the end. */
function fitBytes<T extends { readonly lines: string[]; readonly truncated: boolean }>(shot: T, maxBytes: number): T {
  let left = maxBytes;
  let from = shot.lines.length;
  while (from > 0) {
    left -= Buffer.byteLength(shot.lines[from - 1] ?? '') + 1;
    if (left < 0) break;
    from -= 1;
  }
  return from === 0 ? shot : { ...shot, lines: shot.lines.slice(from), truncated: true };
}
