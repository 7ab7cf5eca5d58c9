/** Closes the parts of the server in the reverse order in which they were opened, and never takes longer than a stop may take. */
import { type Clock, within } from '../node/clock.ts';
import type { Logger } from '../node/logger.ts';

type Step = () => unknown;

export interface Unwind {
  /** `name` is for the log: it says which step did not end. */
  add(name: string, step: Step): void;
  /** Runs every step once. A step that fails or takes too long is logged, and the next step is run all the same. */
  run(): Promise<void>;
}

/** The longest single step: Codex has 1.5 s to end after SIGTERM before it gets SIGKILL. */
const STEP_MS = 2_000;
/** `signalbox stop` promises 5 s; the rest is for the process to exit on a busy machine. */
const TOTAL_MS = 4_500;

export function createUnwind({ clock, log }: { readonly clock: Clock; readonly log: Logger }): Unwind {
  const steps: { readonly name: string; readonly step: Step }[] = [];
  const runStep = async (name: string, step: Step, limitMs: number): Promise<void> => {
    const done = (async () => step())().catch((error: unknown) =>
      log.error({ error, step: name }, 'a part was not closed'),
    );
    if (!(await within(clock, limitMs, done))) {
      log.error({ step: name, limit_ms: limitMs }, 'a part did not close in time: the stop goes on without it');
    }
  };
  return {
    add: (name, step) => void steps.push({ name, step }),
    async run() {
      const deadline = clock.monotonicMs() + TOTAL_MS;
      for (let next = steps.pop(); next !== undefined; next = steps.pop()) {
        // Once the time is over the remaining steps are begun but not waited for: most of them need one turn of the loop.
        await runStep(next.name, next.step, Math.max(0, Math.min(STEP_MS, deadline - clock.monotonicMs())));
      }
    },
  };
}
