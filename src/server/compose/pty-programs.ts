/** The `pty` backend of Framework Shells: programs in terminals that the pty host owns, over a link of its own to that host. */
import type { HostMessage, RunProgram } from '../../contract/pty-host.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../node/clock.ts';
import type { ProcessIdentity } from '../../node/process-identity.ts';
import type { Alive, Ended, ShellBackend } from '../shells/ports.ts';
import { watchForeign } from '../shells/start-process.ts';
import { connectHost, type HostClient, type HostEvent } from '../terminal/host-client.ts';
import type { HostAddress, HostLauncher } from '../terminal/host-launcher.ts';

type Exit = Extract<HostMessage, { type: 'program_exit' }>;

/** What a program finds until somebody sits before it. */
const SIZE = { cols: 80, rows: 24 } as const;
/** A host that ends with its last terminal may go just now: then there is another one. */
const TRIES = 40;
const TRY_MS = 50;
/** Between the end of a process and the host's word of how it ended, which comes for sure; also on a loaded machine. */
const WORD_MS = 10_000;
/** Of the time a stop of the server has. */
const RETIRE_MS = 1_000;
const HOST_END_MS = 1_000;
const UNSEEN: Ended = { code: null, signal: null };

export interface PtyBackendOptions {
  readonly launcher: HostLauncher;
  readonly clock: Clock;
}

interface Watcher {
  hear(exit: Exit): void;
  lose(): void;
}

export function createPtyBackend({ launcher, clock }: PtyBackendOptions): ShellBackend {
  const watchers = new Map<string, Watcher>();
  let client: HostClient | null = null;
  let connecting: Promise<Result<HostClient>> | null = null;

  const onEvent = (event: HostEvent) => {
    if (event.type === 'program_exit') watchers.get(event.key)?.hear(event);
  };
  const connect = async (address: HostAddress): Promise<Result<HostClient>> => {
    let own: HostClient | null = null;
    let isOver = false;
    const onClose = () => {
      isOver = true;
      if (own === null) return;
      client = null;
      // The host was killed, and its terminals with it.
      for (const watcher of [...watchers.values()]) watcher.lose();
    };
    const connected = await connectHost(address, { onEvent, onBytes: () => undefined, onClose }, clock);
    if (!connected.ok) return connected;
    if (isOver) return fail('not_running', 'the pty host has ended');
    own = connected.value;
    client = own;
    return connected;
  };
  const reach = (find: () => Promise<Result<HostAddress>>): Promise<Result<HostClient>> => {
    if (client !== null) return Promise.resolve(ok(client));
    connecting ??= find()
      .then((found) => (found.ok ? connect(found.value) : found))
      .finally(() => {
        connecting = null;
      });
    return connecting;
  };
  const ensure = () => reach(() => launcher.ensure());
  const findHost = () =>
    reach(async () => {
      const record = launcher.find();
      return record === null ? fail('not_running', 'there is no pty host') : ok(record);
    });

  /** Listens from before the start: a program may be over before we have heard of its start. */
  const listen = (key: string) => {
    const early: Exit[] = [];
    let pid: number | null = null;
    let settle: (ended: Ended) => void = () => undefined;
    const told = new Promise<Ended>((done) => {
      settle = done;
    });
    const watcher: Watcher = {
      hear(exit) {
        if (pid === null) early.push(exit);
        else if (exit.pid === pid) settle({ code: exit.exit_code, signal: exit.signal });
      },
      lose: () => settle(UNSEEN),
    };
    watchers.set(key, watcher);
    const letGo = () => {
      if (watchers.get(key) === watcher) watchers.delete(key);
    };
    return {
      letGo,
      take(identity: ProcessIdentity): Alive {
        pid = identity.pid;
        for (const exit of early) watcher.hear(exit);
        const watched = watchForeign(identity, clock);
        void watched.ended.then(() => clock.sleep(WORD_MS)).then(watcher.lose);
        const send = (what: { do: 'input'; data: string } | { do: 'resize'; cols: number; rows: number }): boolean => {
          client?.send(what.do === 'input' ? { ...what, key, actor: 'user' } : { ...what, key });
          return client !== null;
        };
        return {
          identity,
          ended: told,
          write: (data) => send({ do: 'input', data }),
          resize: ({ cols, rows }) => void send({ do: 'resize', cols, rows }),
          pipe: null,
          letGo() {
            letGo();
            watched.letGo();
          },
        };
      },
    };
  };

  return {
    async start({ id, command, cwd, env, log }) {
      const key = keyOf(id);
      const request: RunProgram = {
        do: 'run',
        key,
        command: [...command],
        cwd,
        env: defined(env),
        log: log.path,
        ...SIZE,
      };
      for (let attempt = 1; ; attempt += 1) {
        const host = await ensure();
        const listening = listen(key);
        const started = host.ok ? await host.value.request(request) : host;
        if (started.ok) return ok(listening.take(started.value));
        listening.letGo();
        if (started.error.code !== 'not_running' || attempt >= TRIES) return started;
        await clock.sleep(TRY_MS);
      }
    },
    async adopt({ id, pid, start_time }) {
      const host = await findHost();
      const listening = listen(keyOf(id));
      const listed = host.ok ? await host.value.request({ do: 'programs' }) : host;
      // A host that does not answer still owns the program, which goes on: it is watched, and takes no input.
      if (!listed.ok && listed.error.code === 'no_answer' && pid !== null && start_time !== null)
        return listening.take({ pid, start_time });
      const found = listed.ok ? listed.value.find((one) => one.key === keyOf(id)) : undefined;
      if (found !== undefined && found.pid === pid && found.start_time === start_time) return listening.take(found);
      listening.letGo();
      return null;
    },
    async close() {
      watchers.clear();
      const left = await client?.request({ do: 'retire' }, RETIRE_MS);
      client?.close();
      if (left?.ok === true && left.value.left > 0) return;
      const deadline = clock.monotonicMs() + HOST_END_MS;
      while (left !== undefined && launcher.find() !== null && clock.monotonicMs() < deadline)
        await clock.sleep(TRY_MS);
    },
  };
}

/** No conversation has such a key. */
const keyOf = (id: string): string => `shells/${id}`;

function defined(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
