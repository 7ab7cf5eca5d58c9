/** One shell: performs what its life decides, keeps its record, watches its process, its health and its log. */
import { ok, type Result } from '../../contract/result.ts';
import type { Rendered, ShellRecord, ShellView, Usage } from '../../contract/shellspec.ts';
import type { PtySize } from '../../contract/terminal.ts';
import { NO_PULSE, notePulse, type Pulse } from '../../core/shells/health.ts';
import { type Deed, hasProcess, type Life, type LifeEvent, step } from '../../core/shells/lifecycle.ts';
import { runsAgents } from '../../core/shells/rows.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { LimitMark } from '../../node/limit-mark.ts';
import type { Logger } from '../../node/logger.ts';
import { isSameProcess } from '../../node/process-identity.ts';
import { endTree, findStarted, type Tree } from '../../node/process-tree.ts';
import { createSerial } from '../../node/serial.ts';
import { isWell } from './check-health.ts';
import { checkStart, cleanEnvironment, MARK, TERMINAL_VARIABLES } from './environment.ts';
import type { Alive, Ended, Pipe, ShellBackend } from './ports.ts';
import type { ShellLog } from './shell-log.ts';
import { describeEnd } from './start-process.ts';
import { viewOf } from './view.ts';

export interface ShellDeps {
  readonly runtimeId: string;
  readonly backend: ShellBackend;
  readonly log: ShellLog;
  readonly socket: string;
  readonly env: NodeJS.ProcessEnv;
  readonly limitMark: LimitMark | null;
  readonly clock: Clock;
  readonly logger: Logger;
  save(record: ShellRecord): Promise<void>;
  onChange(): void;
}

/** What only its next starts need, and no file may hold. */
export interface StartExtras {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTalking: boolean;
}

export interface Shell {
  readonly id: string;
  readonly log: ShellLog;
  record(): ShellRecord;
  view(usage: Usage | null, logBytes: number): ShellView;
  tree(): Tree | null;
  pipe(): Pipe | null;
  /** Resolves when the process that runs now has ended, or at once. */
  ended(): Promise<Ended | null>;
  /** Nothing when it runs; else starts it, by this spec from now on. */
  up(spec: Rendered, extras: StartExtras): Promise<Result<{ readonly isStarted: boolean }>>;
  /** Takes note of an end that nobody has told us yet. */
  settle(): Promise<void>;
  /** `isKept`: only because the server stops; what is always to run comes back with it. */
  stop(how?: { readonly isKept?: boolean }): Promise<void>;
  restart(): Promise<Result<null>>;
  write(data: string): boolean;
  /** False without a terminal. */
  resize(size: PtySize): boolean;
  /** At the start of the server: takes up what runs, and marks what does not. */
  adopt(): Promise<void>;
  /** Afterwards: starts what is to run and does not. */
  wake(): Promise<void>;
  rotateLog(): Promise<void>;
  /** The server goes: nothing is started or watched any more. */
  letGo(): void;
}

/** After its death a child's exit reaches us with the next turn of the loop, or over the pty host; a loaded machine may take a while. */
const EXIT_WAIT_MS = 5_000;
const UNSEEN: Ended = { code: null, signal: null };
const NO_EXTRAS: StartExtras = { env: {}, isTalking: false };

export function createShell(first: ShellRecord, deps: ShellDeps): Shell {
  const { clock, logger, backend, log } = deps;
  let record = first;
  let life: Life = { state: first.state, after: null, isWanted: first.is_wanted, deaths: [] };
  let alive: Alive | null = null;
  let pulse: Pulse = NO_PULSE;
  let extras = NO_EXTRAS;
  let isAdopted = false;
  let isReleased = false;
  /** Found dead, though it is to run. */
  let isDue = false;
  /** Stopped only because the server stops: it is wanted again at the next start, also if the server ends before it. */
  let isKept = false;
  let waiting: Timer | null = null;
  let checking: Timer | null = null;
  let startFailure: Result<never> | null = null;

  /** One thing at a time: a stop while it starts waits for the start. */
  const { run: exclusive } = createSerial();

  const change = async (part: Partial<ShellRecord>): Promise<void> => {
    record = { ...record, ...part, state: life.state, is_wanted: life.isWanted || isKept };
    deps.onChange();
    await deps
      .save(record)
      .catch((error: unknown) => logger.error({ error, shell: record.id }, 'a record was not saved'));
  };

  const happen = async (event: LifeEvent, part: Partial<ShellRecord> = {}): Promise<void> => {
    const { life: next, deeds } = step(life, event, clock.now(), record.spec.restart);
    life = next;
    await change(part);
    for (const deed of deeds) await perform(deed);
  };

  const perform = async (deed: Deed): Promise<void> => {
    switch (deed.type) {
      case 'spawn':
        return spawn();
      case 'terminate':
        return terminate();
      case 'cancel':
        return waiting?.cancel();
      case 'wait':
        waiting = clock.setTimer(deed.ms, () => void exclusive(startAgain));
        return;
      default:
        return deed satisfies never;
    }
  };
  const startAgain = () => happen({ type: 'due' }, { restarts: record.restarts + 1 });

  const environment = (): NodeJS.ProcessEnv => ({
    ...cleanEnvironment(deps.env),
    ...(record.spec.backend === 'pty' && TERMINAL_VARIABLES),
    ...record.spec.env,
    ...extras.env,
    ...(record.is_marked && { [MARK]: `${deps.runtimeId}/${record.id}` }),
  });

  /** Agents act through our infrastructure. What runs on the pty host has the limit of the host. */
  const limited = (): readonly string[] => {
    const { command, backend, labels } = record.spec;
    const kind = runsAgents(labels) ? 'agent' : 'shell';
    return backend === 'pty' ? command : (deps.limitMark?.wrap(kind, command) ?? command);
  };

  const spawn = async (): Promise<void> => {
    waiting?.cancel();
    startFailure = null;
    pulse = NO_PULSE;
    isAdopted = false;
    const { command, cwd } = record.spec;
    const env = environment();
    const checked = await checkStart(command, cwd, env);
    const logStart = await log.size();
    const order = {
      id: record.id,
      command: limited(),
      cwd,
      env,
      log,
      socket: deps.socket,
      isTalking: extras.isTalking,
    };
    const started = checked.ok ? await backend.start(order) : checked;
    if (!started.ok) {
      startFailure = started;
      const exit = { code: null, signal: null, at: iso(), reason: started.error.message };
      return happen({ type: 'not_started' }, { pid: null, start_time: null, exit, log_start: logStart });
    }
    const { pid, start_time } = started.value.identity;
    take(started.value);
    await happen(
      { type: 'started' },
      { pid, start_time, started_at: iso(), exit: null, log_start: logStart, socket: deps.socket },
    );
  };

  const take = (taken: Alive): void => {
    alive = taken;
    void taken.ended.then((ended) => {
      if (alive === taken) void exclusive(() => onEnded(taken, ended));
    });
    scheduleCheck();
  };

  const onEnded = async (gone: Alive, ended: Ended): Promise<void> => {
    if (alive !== gone || isReleased) return;
    await bury(ended);
    const wasUnseen = ended.code === null && ended.signal === null;
    await happen({ type: 'ended', wasClean: ended.code === 0 || (wasUnseen && record.spec.backend === 'dtach') });
  };

  /** What the dead one started goes with it. */
  const bury = async (ended: Ended): Promise<void> => {
    const left = tree();
    alive?.letGo();
    alive = null;
    checking?.cancel();
    pulse = NO_PULSE;
    if (left !== null) await endTree(left, { graceMs: record.spec.stop.grace_ms, clock });
    const { code, signal } = ended;
    record = { ...record, pid: null, start_time: null, exit: { code, signal, at: iso(), reason: describeEnd(ended) } };
  };

  const terminate = async (): Promise<void> => {
    const dying = alive;
    const doomed = tree();
    if (doomed !== null) await endTree(doomed, { graceMs: record.spec.stop.grace_ms, clock });
    // The exit of a child of ours or of the pty host is told in a moment; of another only that it is gone.
    const ended =
      dying === null ? UNSEEN : await Promise.race([dying.ended, clock.sleep(EXIT_WAIT_MS).then(() => UNSEEN)]);
    if (record.pid !== null) await bury(ended);
    await happen({ type: 'ended', wasClean: true });
  };

  const scheduleCheck = (): void => {
    const { health } = record.spec;
    checking?.cancel();
    if (health !== null) checking = clock.setTimer(health.every_ms, () => void check());
  };

  const check = async (): Promise<void> => {
    const { health, cwd } = record.spec;
    const patient = alive;
    if (health === null || patient === null || isReleased) return;
    const well = await isWell(health, { identity: patient.identity, cwd, env: environment() }, clock);
    if (alive !== patient || isReleased) return;
    const before = pulse.health;
    pulse = notePulse(pulse, well, clock.now() - Date.parse(record.started_at ?? ''), health);
    if (pulse.health !== before) deps.onChange();
    if (pulse.health === 'unhealthy')
      await exclusive(() => (alive === patient ? happen({ type: 'unhealthy' }) : Promise.resolve()));
    if (alive === patient) scheduleCheck();
  };

  const tree = (): Tree | null => {
    const { pid, start_time } = record;
    if (pid === null || start_time === null) return null;
    return { root: { pid, start_time }, mark: record.is_marked ? `${MARK}=${deps.runtimeId}/${record.id}` : null };
  };

  const iso = (): string => new Date(clock.now()).toISOString();

  const adopt = async (): Promise<void> => {
    const left = tree();
    if (left === null) return noteCut();
    // The last server asked it to end and stopped before its grace was over.
    const wasEnding = record.state === 'stopping';
    const taken = isSameProcess(left.root) && !wasEnding ? await backend.adopt(record, log) : null;
    if (taken !== null) {
      isAdopted = true;
      life = { ...life, state: 'running', after: null };
      take(taken);
      return change({});
    }
    const whyEnded = wasEnding
      ? 'it was asked to end when the server stopped'
      : `the ${record.spec.backend === 'pty' ? 'pty host' : 'server'} it talked to was killed`;
    const reason = isSameProcess(left.root)
      ? `ended by us: ${whyEnded}`
      : 'ended while no server was running; how is not known';
    await endTree(left, { graceMs: record.spec.stop.grace_ms, clock });
    life = { ...life, state: 'gone' };
    await change({ pid: null, start_time: null, exit: { code: null, signal: null, at: iso(), reason } });
    isDue = record.spec.restart.policy !== 'never';
  };

  /** Killed between its start and its record. What carries our mark is swept; what does not is known by its whole command line. */
  const endUnrecorded = async (): Promise<void> => {
    if (record.is_marked) return;
    for (const root of findStarted(record.spec.command)) {
      logger.warn({ pid: root.pid, shell: record.id }, 'a process that was started and not recorded was ended');
      await endTree({ root, mark: null }, { graceMs: record.spec.stop.grace_ms, clock });
    }
  };

  /** Without a process: one that was to start again does, and so does what is always to run. */
  const noteCut = async (): Promise<void> => {
    const { policy } = record.spec.restart;
    const wasCut = hasProcess(life.state) || life.state === 'waiting';
    if (wasCut) {
      await endUnrecorded();
      life = { ...life, state: 'gone' };
      const reason = 'the server was killed while it started';
      await change({ exit: record.exit ?? { code: null, signal: null, at: iso(), reason } });
    }
    isDue = wasCut ? policy !== 'never' : life.state === 'stopped' && policy === 'always';
  };

  return {
    id: first.id,
    log,
    record: () => record,
    view: (usage, logBytes) => viewOf(record, { usage, logBytes, isAdopted, health: pulse.health }),
    tree,
    pipe: () => alive?.pipe ?? null,
    ended: () => alive?.ended ?? Promise.resolve(null),
    up: (spec, more) =>
      exclusive(async () => {
        if (hasProcess(life.state)) return ok({ isStarted: false });
        extras = more;
        record = { ...record, spec };
        await happen({ type: 'up' });
        return startFailure ?? ok({ isStarted: true });
      }),
    settle: () =>
      exclusive(async () => {
        const gone = alive;
        if (gone === null || isSameProcess(gone.identity)) return;
        await onEnded(gone, await Promise.race([gone.ended, clock.sleep(EXIT_WAIT_MS).then(() => UNSEEN)]));
      }),
    stop: (how = {}) =>
      exclusive(async () => {
        isKept = how.isKept === true && life.isWanted;
        await happen({ type: 'stop' });
        if (!isKept) return;
        life = { ...life, isWanted: true };
        await change({});
      }),
    restart: () =>
      exclusive(async () => {
        await happen({ type: 'restart' });
        return startFailure ?? ok(null);
      }),
    write: (data) => alive?.write(data) ?? false,
    resize(size) {
      alive?.resize?.(size);
      return alive?.resize !== undefined;
    },
    adopt: () => exclusive(adopt),
    wake: () =>
      exclusive(async () => {
        if (isDue && life.isWanted && !hasProcess(life.state)) await happen({ type: 'up' });
        isDue = false;
      }),
    rotateLog: () => log.rotate((base) => change({ log_base: base })),
    letGo() {
      isReleased = true;
      waiting?.cancel();
      checking?.cancel();
      alive?.letGo();
    },
  };
}
