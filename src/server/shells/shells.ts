/** Framework Shells: every process Signalbox starts, from a shellspec, by id; found again after a restart. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Backend, LogPage, Rendered, ShellRecord, ShellView } from '../../contract/shellspec.ts';
import type { PtySize } from '../../contract/terminal.ts';
import { hasProcess } from '../../core/shells/lifecycle.ts';
import { renderSpec, wantsFreePort } from '../../core/shells/render-spec.ts';
import { groupOf, hasLabels, isInfrastructure } from '../../core/shells/rows.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import { acquireInstanceLock } from '../../node/instance-lock.ts';
import type { LimitMark } from '../../node/limit-mark.ts';
import type { Logger } from '../../node/logger.ts';
import { fitSocketPath } from '../../node/socket-path.ts';
import { createProcBackend, pipeBackend } from './backends.ts';
import { createDtachBackend } from './dtach.ts';
import { findFreePort } from './free-port.ts';
import { type LoadedSpec, loadSpec } from './load-spec.ts';
import { createMeter } from './measure.ts';
import type { ShellBackend } from './ports.ts';
import { createRecords } from './records.ts';
import { openRuntime } from './runtime.ts';
import { createShell, type Shell, type StartExtras } from './shell.ts';
import { type LogHits, openShellLog } from './shell-log.ts';
import { sweepStrays } from './strays.ts';

interface UpRequest {
  readonly file: string;
  /** All of the file when absent. */
  readonly shell?: string | undefined;
  readonly name?: string | undefined;
  /** What `${CWD}` is; the directory of the file when absent. */
  readonly cwd?: string | undefined;
  readonly ctx: Readonly<Record<string, string | readonly string[]>>;
  /** For the parts of Signalbox itself: environment that no file may hold, and whether we talk over its pipe. */
  readonly extras?: StartExtras;
  /** Of the content that a person was shown; another one is refused. */
  readonly sha256?: string | undefined;
  /** A part of Signalbox itself; nobody else may bring one up. */
  readonly isOwn?: boolean;
  /** False: not even our mark goes into the environment. */
  readonly isMarked?: boolean;
}

interface UpOutcome {
  readonly shell: Shell;
  readonly isStarted: boolean;
}

/** Who really decides over a shell of Signalbox itself: it does more than end a process. */
interface ShellOwner {
  stop(): Promise<void>;
  restart(): Promise<Result<null>>;
}

export interface Shells {
  up(request: UpRequest): Promise<Result<readonly UpOutcome[]>>;
  list(query?: { readonly label?: string | undefined; readonly group?: string | undefined }): Promise<ShellView[]>;
  find(id: string): Shell | undefined;
  findByRef(ref: string): Shell | undefined;
  /** Of those that run. */
  pids(): readonly number[];
  read(id: string): Promise<Result<ShellView>>;
  view(shell: Shell): Promise<ShellView>;
  stop(id: string): Promise<Result<ShellView>>;
  restart(id: string): Promise<Result<ShellView>>;
  input(id: string, data: string): Result<null>;
  resize(id: string, size: PtySize): Result<null>;
  logs(
    id: string,
    from: { readonly offset?: number | undefined; readonly lines: number; readonly max_bytes: number },
  ): Promise<Result<LogPage>>;
  search(id: string, text: string, limit: number): Promise<Result<LogHits>>;
  /** Forgets ended ones: this one, or all of them. */
  purge(id?: string): Promise<Result<string[]>>;
  own(ref: string, owner: ShellOwner): void;
  /** Called when something about a shell has changed. */
  onChange(listener: () => void): () => void;
  /** Asks the shells that end with the server to end. Their limits run while the other parts of the server close. */
  endWithServer(): Promise<void>;
  close(): Promise<void>;
}

export interface ShellsOptions {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly mayCreateSecret: boolean;
  /** Null where the system has none. */
  readonly limitMark: LimitMark | null;
  readonly clock: Clock;
  readonly log: Logger;
  /** The pty host. */
  readonly pty: ShellBackend;
}

/** More than a person can oversee; beyond it something loops. */
const MAX_SHELLS = 500;
/** How often logs are looked at for rotation. */
const UPKEEP_MS = 2_000;

export async function openShells(options: ShellsOptions): Promise<Result<Shells>> {
  const { clock, log } = options;
  const opened = await openRuntime(options);
  if (!opened.ok) return opened;
  const runtime = opened.value;
  const lock = await acquireInstanceLock(runtime.dir);
  if (!lock.ok)
    return fail(
      'conflict',
      `another server uses the shells in ${runtime.dir}: give each its own FRAMEWORK_SHELLS_REPO_FINGERPRINT`,
    );
  const records = createRecords(runtime.metaDir, log);
  const shells = new Map<string, Shell>();
  const owners = new Map<string, ShellOwner>();
  const listeners = new Set<() => void>();
  const meter = createMeter(clock);
  const backends: Record<Backend, ShellBackend> = {
    pipe: pipeBackend,
    proc: createProcBackend(clock),
    dtach: createDtachBackend(clock),
    pty: options.pty,
  };
  let isClosed = false;

  const add = async (record: ShellRecord): Promise<Shell> => {
    const shell = createShell(record, {
      runtimeId: runtime.id,
      backend: backends[record.spec.backend],
      log: await openShellLog(join(runtime.logsDir, `${record.id}.log`), record.log_base),
      socket: await fitSocketPath(join(runtime.socketsDir, `${record.id}.sock`)),
      env: options.env,
      limitMark: options.limitMark,
      clock,
      logger: log,
      save: records.save,
      onChange() {
        for (const listener of listeners) listener();
      },
    });
    shells.set(record.id, shell);
    return shell;
  };

  const findByRef = (ref: string) => [...shells.values()].find((shell) => shell.record().ref === ref);

  const upOne = async (spec: LoadedSpec, name: string, request: UpRequest): Promise<Result<UpOutcome>> => {
    const found = spec.shells.get(name);
    if (found === undefined) {
      const names = [...spec.shells.keys()].join(', ');
      return fail('not_found', `there is no shell ${name} in ${spec.file}: it has ${names}`, {
        file: spec.file,
        shells: [...spec.shells.keys()],
      });
    }
    const ref = `${spec.file}#${name}${request.name === undefined ? '' : `@${request.name}`}`;
    const known = findByRef(ref);
    await known?.settle();
    if (known !== undefined && hasProcess(known.record().state)) return ok({ shell: known, isStarted: false });
    const freePort = wantsFreePort(found) ? await findFreePort() : null;
    const filled = renderSpec(found, {
      ctx: { CWD: request.cwd ?? dirname(spec.file), ...request.ctx },
      env: (key) => options.env[key],
      freePort,
    });
    if ('problem' in filled)
      return spec.blame({ path: ['shells', name, ...filled.problem.path], message: filled.problem.message });
    const { rendered } = filled;
    if (isInfrastructure(rendered.labels) && request.isOwn !== true) {
      return spec.blame({
        path: ['shells', name, 'labels'],
        message: 'only Signalbox itself starts its infrastructure',
      });
    }
    if (known === undefined && shells.size >= MAX_SHELLS)
      return fail('conflict', `there are ${MAX_SHELLS} shells already: purge some`);
    const shell =
      known !== undefined && known.record().spec.backend === rendered.backend
        ? known
        : await replace(known, ref, rendered, request);
    const started = await shell.up(rendered, request.extras ?? { env: {}, isTalking: false });
    return started.ok ? ok({ shell, isStarted: started.value.isStarted }) : started;
  };

  /** A shell keeps its id, also with another backend. */
  const replace = (known: Shell | undefined, ref: string, spec: Rendered, request: UpRequest): Promise<Shell> => {
    known?.letGo();
    const name = ref.slice(ref.lastIndexOf('#') + 1).replace('@', '-');
    return add({
      ...newRecord(known?.id ?? `${name}-${randomBytes(3).toString('hex')}`, ref, spec, clock),
      is_marked: request.isMarked ?? true,
    });
  };

  const withShell = <T>(id: string, perform: (shell: Shell) => Promise<Result<T>>): Promise<Result<T>> => {
    const shell = shells.get(id);
    return shell === undefined ? Promise.resolve(unknownShell(id)) : perform(shell);
  };

  const view = async (shell: Shell): Promise<ShellView> => {
    const [one] = await views([shell]);
    if (one === undefined) throw new Error('one shell, one view');
    return one;
  };

  const views = async (some: readonly Shell[]): Promise<ShellView[]> => {
    const trees = new Map(
      some.flatMap((shell) => {
        const tree = shell.tree();
        const startedMs = Date.parse(shell.record().started_at ?? '');
        const isOurs = isInfrastructure(shell.record().spec.labels);
        return tree === null ? [] : [[shell.id, { tree, aliveMs: clock.now() - startedMs, isOurs }] as const];
      }),
    );
    const usages = meter.measure(trees);
    return Promise.all(
      some.map(async (shell) =>
        shell.view(trees.has(shell.id) ? (usages.get(shell.id) ?? null) : null, await shell.log.size()),
      ),
    );
  };

  const upkeep = (): Timer =>
    clock.setTimer(UPKEEP_MS, () => {
      for (const shell of shells.values()) {
        shell.rotateLog().catch((error: unknown) => log.warn({ error, shell: shell.id }, 'a log was not rotated'));
      }
      timer = upkeep();
    });

  let ending: Promise<unknown> | null = null;
  const endWithServer = async (): Promise<void> => {
    ending ??= Promise.all(
      [...shells.values()].map(async (shell) => {
        const { spec } = shell.record();
        const mustGo = spec.backend === 'pipe' || spec.stop.with_server;
        if (mustGo && !owners.has(shell.record().ref)) await shell.stop({ isKept: true });
      }),
    );
    await ending;
  };

  for (const record of await records.load()) await add(record);
  await Promise.all([...shells.values()].map((shell) => shell.adopt()));
  await sweepStrays(runtime.id, shells, clock, log);
  // Not waited for: one in the pty host needs us open, since the host is a shell too.
  for (const shell of shells.values()) {
    shell.wake().catch((error: unknown) => log.error({ error, shell: shell.id }, 'a shell was not started again'));
  }
  let timer = upkeep();

  return ok({
    async up(request) {
      const spec = await loadSpec(request.file);
      if (!spec.ok) return spec;
      if (request.sha256 !== undefined && request.sha256 !== spec.value.sha256)
        return fail('conflict', `${request.file} was changed since it was shown: look at it again`, {
          reason: 'changed',
        });
      const outcomes: UpOutcome[] = [];
      for (const name of request.shell === undefined ? spec.value.shells.keys() : [request.shell]) {
        const outcome = await upOne(spec.value, name, request);
        if (!outcome.ok) return outcome;
        outcomes.push(outcome.value);
      }
      return ok(outcomes);
    },
    list: async (query = {}) => {
      const all = [...shells.values()].filter((shell) => {
        const { labels, subgroups } = shell.record().spec;
        return (
          hasLabels(labels, query.label ?? '') && (query.group === undefined || groupOf({ subgroups }) === query.group)
        );
      });
      return views(all);
    },
    find: (id) => shells.get(id),
    findByRef,
    pids: () => [...shells.values()].flatMap((shell) => shell.record().pid ?? []),
    read: (id) => withShell(id, async (shell) => ok(await view(shell))),
    view,
    stop: (id) =>
      withShell(id, async (shell) => {
        const owner = owners.get(shell.record().ref);
        await (owner === undefined ? shell.stop() : owner.stop());
        return ok(await view(shell));
      }),
    restart: (id) =>
      withShell(id, async (shell) => {
        const owner = owners.get(shell.record().ref);
        const restarted = await (owner ?? shell).restart();
        return restarted.ok ? ok(await view(shell)) : restarted;
      }),
    input(id, data) {
      const shell = shells.get(id);
      if (shell === undefined) return unknownShell(id);
      if (isInfrastructure(shell.record().spec.labels))
        return fail('forbidden', `${id} is a part of Signalbox: nobody else talks to it`);
      return shell.write(data)
        ? ok(null)
        : fail('conflict', `${id} takes no input: only running pipe, dtach and pty shells do`);
    },
    resize(id, size) {
      const shell = shells.get(id);
      if (shell === undefined) return unknownShell(id);
      return shell.resize(size)
        ? ok(null)
        : fail('conflict', `${id} has no terminal of ours: only running pty shells do`);
    },
    logs: (id, { offset, lines, max_bytes }) =>
      withShell(id, async ({ log: file }) =>
        ok(await (offset === undefined ? file.tail(lines, max_bytes) : file.read(offset, max_bytes))),
      ),
    search: (id, text, limit) => withShell(id, async ({ log: file }) => ok(await file.search(text, limit))),
    async purge(id) {
      if (id !== undefined && !shells.has(id)) return unknownShell(id);
      const ended = [...shells.values()].filter((shell) => (id === undefined || shell.id === id) && !isBusy(shell));
      if (id !== undefined && ended.length === 0) return fail('conflict', `${id} is running: stop it first`);
      for (const shell of ended) {
        shells.delete(shell.id);
        shell.letGo();
        await shell.log.remove();
        await records.remove(shell.id);
        await rm(shell.record().socket ?? '', { force: true }).catch(() => undefined);
      }
      for (const listener of listeners) listener();
      return ok(ended.map((shell) => shell.id));
    },
    own: (ref, owner) => void owners.set(ref, owner),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    endWithServer,
    async close() {
      if (isClosed) return;
      isClosed = true;
      timer.cancel();
      await endWithServer();
      // The host of the terminals ends with the last of them, and is noted while we still watch.
      await options.pty.close?.();
      for (const shell of shells.values()) shell.letGo();
      listeners.clear();
      await lock.release();
    },
  });
}

const isBusy = (shell: Shell): boolean => hasProcess(shell.record().state) || shell.record().state === 'waiting';

const unknownShell = (id: string): Result<never> =>
  fail('not_found', `there is no shell ${id}: \`signalbox shells list\` shows them`, { id });

function newRecord(id: string, ref: string, spec: Rendered, clock: Clock): ShellRecord {
  return {
    id,
    ref,
    spec,
    state: 'stopped',
    is_wanted: false,
    pid: null,
    start_time: null,
    created_at: new Date(clock.now()).toISOString(),
    started_at: null,
    exit: null,
    restarts: 0,
    log_base: 0,
    log_start: 0,
    is_marked: true,
    socket: null,
  };
}
