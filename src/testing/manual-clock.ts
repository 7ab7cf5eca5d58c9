/** A clock that moves only when a test says so. */
import type { Clock, Timer } from '../node/clock.ts';

export interface ManualClock extends Clock {
  /** Moves time on and runs what falls due, in order. */
  advance(ms: number): void;
  /** Timers that still wait. */
  waiting(): number;
}

export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let elapsed = 0;
  let timers: { readonly due: number; readonly fn: () => void }[] = [];

  function setTimer(ms: number, fn: () => void): Timer {
    const timer = { due: elapsed + ms, fn };
    timers.push(timer);
    return {
      cancel() {
        timers = timers.filter((one) => one !== timer);
      },
    };
  }

  return {
    now: () => startMs + elapsed,
    monotonicMs: () => elapsed,
    setTimer,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const timer = setTimer(ms, resolve);
        signal?.addEventListener('abort', () => {
          timer.cancel();
          resolve();
        });
      }),
    advance(ms) {
      const until = elapsed + ms;
      for (;;) {
        const [next] = timers.filter((one) => one.due <= until).sort((a, b) => a.due - b.due);
        if (next === undefined) break;
        timers = timers.filter((one) => one !== next);
        elapsed = Math.max(elapsed, next.due);
        next.fn();
      }
      elapsed = until;
    },
    waiting: () => timers.length,
  };
}
