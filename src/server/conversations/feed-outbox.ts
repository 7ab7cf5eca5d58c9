/** Feeds the decider of one conversation: one input at a time, each with the facts about the thread as they are at that moment. */
import type { OutboxInput, OutboxOutput, OutboxState, ThreadFacts } from '../../core/outbox/state.ts';
import { step } from '../../core/outbox/step.ts';

type Accept = (input: OutboxInput) => void;
/** The facts that are read anew; the running turn is known from the inputs. */
export type ReadFacts = Omit<ThreadFacts, 'turnId'>;

interface FeedOptions {
  readonly firstState: OutboxState;
  readonly facts: () => ReadFacts;
  /** Performs one output. What comes of it is given to `accept`, also later. */
  readonly perform: (output: OutboxOutput, accept: Accept, state: OutboxState) => void;
  /** Called when the outputs of an input have been performed. */
  readonly onApplied: (input: OutboxInput) => void;
}

export interface OutboxFeed {
  readonly accept: Accept;
  /** Settings or the thread may have changed. */
  refresh(): void;
  state(): OutboxState;
  isClosed(): boolean;
  /** Resolves when nothing is being given to Codex or asked of it. */
  whenStill(): Promise<void>;
  /** No input is taken any more. */
  close(): void;
}

export function createFeed(options: FeedOptions): OutboxFeed {
  const inputs: OutboxInput[] = [];
  const stillWaiters: (() => void)[] = [];
  let state = options.firstState;
  let isRunning = false;
  let isClosed = false;

  const isStale = (now: ReadFacts): boolean =>
    (Object.keys(now) as (keyof typeof now)[]).some((name) => now[name] !== state.thread[name]);

  const apply = (input: OutboxInput): void => {
    const next = step(state, input);
    state = next.state;
    for (const output of next.outputs) options.perform(output, accept, state);
    options.onApplied(input);
  };

  const wakeStillWaiters = (): void => {
    for (const wake of stillWaiters.splice(0)) wake();
  };

  /** An input that comes while an output is performed waits for its turn. */
  const accept: Accept = (input) => {
    if (isClosed) return;
    inputs.push(input);
    if (isRunning) return;
    isRunning = true;
    for (let next = inputs.shift(); next !== undefined; next = inputs.shift()) {
      const now = options.facts();
      if (next.type !== 'thread_changed' && isStale(now)) apply({ type: 'thread_changed', facts: now });
      apply(next);
    }
    isRunning = false;
    if (state.busy === null) wakeStillWaiters();
  };

  return {
    accept,
    refresh() {
      const now = options.facts();
      if (isStale(now)) accept({ type: 'thread_changed', facts: now });
    },
    state: () => state,
    isClosed: () => isClosed,
    whenStill: () =>
      state.busy === null || isClosed ? Promise.resolve() : new Promise((done) => void stillWaiters.push(done)),
    close() {
      isClosed = true;
      wakeStillWaiters();
    },
  };
}
