/** Callers that wait for their Stop to be answered, and interrupts that wait for the end of their turn. */
import type { Failure } from '../../contract/result.ts';

/** Whether a turn was stopped, or why it could not be. */
type StopOutcome = boolean | Failure;

export interface StopWaiters {
  /** Calls `begin` with the id of the new request; resolves with its answer. */
  ask(begin: (id: string) => void): Promise<StopOutcome>;
  answer(ids: readonly string[], outcome: StopOutcome): void;
  /** Resolves when the turn has ended, with whether it was stopped. */
  readonly endOf: (turnId: string) => Promise<boolean>;
  turnEnded(turnId: string, wasStopped: boolean): void;
  /** Answers everybody who waits that nothing was stopped. */
  close(): void;
}

export function createStopWaiters(): StopWaiters {
  const waiters = new Map<string, (outcome: StopOutcome) => void>();
  const endings = new Map<string, (wasStopped: boolean) => void>();
  let asked = 0;
  return {
    ask(begin) {
      asked += 1;
      const id = `stop_${asked}`;
      return new Promise((done) => {
        waiters.set(id, done);
        begin(id);
      });
    },
    answer(ids, outcome) {
      for (const id of ids) waiters.get(id)?.(outcome);
      for (const id of ids) waiters.delete(id);
    },
    endOf: (turnId) => new Promise((done) => void endings.set(turnId, done)),
    turnEnded(turnId, wasStopped) {
      endings.get(turnId)?.(wasStopped);
      endings.delete(turnId);
    },
    close() {
      for (const done of waiters.values()) done(false);
      waiters.clear();
    },
  };
}
