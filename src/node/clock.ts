/** The clock port and the real one. Everything that waits or stamps a time takes a `Clock`, so that tests never sleep. */

import { performance } from 'node:perf_hooks';

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Wall clock in unix milliseconds; it may jump. */
  now(): number;
  /** Never goes back; only differences mean something. */
  monotonicMs(): number;
  /** An aborted sleep ends early by resolving, so no caller needs a catch; look at `signal.aborted` to tell. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  setTimer(ms: number, fn: () => void): Timer;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep,
  setTimer(ms, fn) {
    const timer = setTimeout(fn, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener('abort', finish);
  });
}

/** Waits for a task, but not for ever; false when it is not done by then, and goes on by itself. */
export async function within(clock: Clock, ms: number, task: Promise<unknown>): Promise<boolean> {
  const stop = new AbortController();
  try {
    return await Promise.race([task.then(() => true), clock.sleep(ms, stop.signal).then(() => false)]);
  } finally {
    stop.abort();
  }
}
