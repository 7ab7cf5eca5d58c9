/** The actions that ship work: one at a time in a work tree, followed while it runs, ended by its person, remembered until the next one. */
import { randomBytes } from 'node:crypto';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { HookRun, ShipAction, ShipDone, ShipFailure, ShipRun } from '../../contract/ship.ts';
import { addOutput, createHookReader, explainFailure, NO_OUTPUT, showOutput } from '../../core/changes/ship-output.ts';
import { type Clock, within } from '../../node/clock.ts';
import type { PersonAnswer, PersonRun, RunAsPerson } from '../../node/person-program.ts';

type Wanted = Pick<PersonRun, 'program' | 'host' | 'cwd' | 'args' | 'stdin' | 'config' | 'sshCommand' | 'timeoutMs'> & {
  /** What it prints is not for the person. */
  readonly isQuiet?: boolean;
};

/** What a job works with. */
export interface RunContext {
  /** What it prints is part of the run. */
  run(wanted: Wanted): Promise<PersonAnswer>;
  /** For what has to be put back after a cancelled run too. */
  cleanUp(wanted: Wanted): Promise<PersonAnswer>;
  keep(commit: string): void;
  output(): string;
  hooks(): readonly HookRun[];
}

export type JobEnd =
  | { readonly kind: 'done'; readonly done: ShipDone }
  | { readonly kind: 'failed'; readonly failure: ShipFailure };

export type Job = (context: RunContext) => Promise<JobEnd>;

export interface ShipRuns {
  newest(root: string): ShipRun | null;
  /** Refused while another one runs there. */
  start(root: string, action: ShipAction, job: Job): Result<ShipRun>;
  /** Resolves with the first change after a version, or after `WAIT_MS`. */
  next(root: string, after: number | undefined, signal: AbortSignal): Promise<ShipRun | null>;
  cancel(root: string, id: string): Result<ShipRun>;
  /** Ends what runs. */
  close(): Promise<void>;
}

/** Below the time after which proxies and clients give up. */
const WAIT_MS = 20_000;
/** Work trees whose last run is remembered. */
const MAX_KEPT = 50;

interface Entry {
  run: ShipRun;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  wake: () => void;
  changed: Promise<void>;
}

export function createShipRuns(options: {
  readonly runAsPerson: RunAsPerson;
  readonly clock: Clock;
  /** An action of this work tree has ended. */
  readonly onEnd: (root: string) => void;
}): ShipRuns {
  const { runAsPerson, clock, onEnd } = options;
  const entries = new Map<string, Entry>();

  const update = (entry: Entry, patch: Partial<ShipRun>) => {
    entry.run = { ...entry.run, ...patch, version: entry.run.version + 1 };
    const { wake } = entry;
    entry.changed = new Promise((resolve) => {
      entry.wake = resolve;
    });
    wake();
  };

  const perform = async (root: string, job: Job, entryOf: () => Entry, stop: AbortController): Promise<void> => {
    const hooks = createHookReader();
    let text = NO_OUTPUT;
    const runWith = (signal: AbortSignal) => (wanted: Wanted) =>
      runAsPerson({
        ...wanted,
        signal,
        onOutput: (more) => {
          if (wanted.isQuiet === true) return;
          text = addOutput(text, more);
          update(entryOf(), { output: showOutput(text) });
        },
        onTrace: (line) => {
          const before = hooks.hooks().length;
          hooks.read(line);
          if (hooks.hooks().length !== before) update(entryOf(), { hooks: hooks.hooks() });
        },
      });
    const context: RunContext = {
      run: runWith(stop.signal),
      cleanUp: runWith(new AbortController().signal),
      keep: (kept) => update(entryOf(), { kept }),
      output: () => showOutput(text),
      hooks: hooks.hooks,
    };
    const end = await job(context).catch(
      (error: unknown): JobEnd => ({
        kind: 'failed',
        failure: { reason: 'other', message: String(error), files: [] },
      }),
    );
    const last = { output: showOutput(text), hooks: hooks.hooks() };
    if (end.kind === 'done') update(entryOf(), { ...last, state: 'done', done: end.done });
    else update(entryOf(), { ...last, state: 'failed', failure: end.failure });
    onEnd(root);
  };

  return {
    newest: (root) => entries.get(root)?.run ?? null,
    start(root, action, job) {
      const known = entries.get(root);
      if (known?.run.state === 'running')
        return fail(
          'conflict',
          `a ${known.run.action.replace('_', ' ')} is running in this work tree: wait for its end, or cancel it`,
        );
      const stop = new AbortController();
      const run: ShipRun = {
        id: randomBytes(8).toString('hex'),
        action,
        state: 'running',
        version: 1,
        output: '',
        hooks: [],
        kept: null,
        done: null,
        failure: null,
      };
      let wake: () => void = () => undefined;
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const entry: Entry = {
        run,
        stop,
        wake,
        changed,
        // Behind this turn of the event loop, so that the entry is there.
        ended: Promise.resolve().then(() => perform(root, job, () => entry, stop)),
      };
      entries.delete(root);
      entries.set(root, entry);
      const over = [...entries].filter(([, one]) => one.run.state !== 'running');
      for (const [old] of over.slice(0, Math.max(0, entries.size - MAX_KEPT))) entries.delete(old);
      return ok(run);
    },
    async next(root, after, signal) {
      const entry = entries.get(root);
      if (entry === undefined) return null;
      if (after === undefined || entry.run.version > after || entry.run.state !== 'running') return entry.run;
      const gone = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      await within(clock, WAIT_MS, Promise.race([entry.changed, gone]));
      return entries.get(root)?.run ?? null;
    },
    cancel(root, id) {
      const entry = entries.get(root);
      if (entry === undefined || entry.run.id !== id)
        return fail('not_found', 'there is no such action in this work tree');
      if (entry.run.state !== 'running') return fail('conflict', 'the action has ended already');
      entry.stop.abort();
      return ok(entry.run);
    },
    async close() {
      for (const { stop } of entries.values()) stop.abort();
      await Promise.all([...entries.values()].map(({ ended }) => ended));
    },
  };
}

/** The end of a job whose program did not do what it should. */
export function failedRun(action: ShipAction, answer: PersonAnswer, context: RunContext): JobEnd {
  switch (answer.kind) {
    case 'ended':
      return { kind: 'failed', failure: explainFailure(action, context.output(), context.hooks()) };
    case 'cancelled':
      return stoppedBy('cancelled', 'You cancelled this. What it had started was ended.');
    case 'time_limit':
      return stoppedBy(
        'time_limit',
        'It took too long and was ended. A hook or the remote may wait for an answer that nobody can give here.',
      );
    case 'not_started':
      return stoppedBy('other', `The program could not be started: ${answer.reason}`);
    default:
      return answer satisfies never;
  }
}

const stoppedBy = (reason: ShipFailure['reason'], message: string): JobEnd => ({
  kind: 'failed',
  failure: { reason, message, files: [] },
});
