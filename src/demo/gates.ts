/** Named gates: a stream waits at one until it is released. A released gate stays open until `reset`. */

export interface Gates {
  /** Rejects with the signal's reason when that is aborted first. */
  wait(name: string, signal: AbortSignal): Promise<void>;
  release(name: string): void;
  /** Shuts every gate; streams that already wait go on waiting. */
  reset(): void;
}

export function createGates(): Gates {
  const open = new Set<string>();
  const waiting = new Map<string, Set<() => void>>();

  return {
    wait: (name, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (open.has(name)) return resolve();
        const waiters = waiting.get(name) ?? new Set();
        waiting.set(name, waiters);
        const pass = () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const giveUp = () => {
          waiters.delete(pass);
          reject(signal.reason);
        };
        waiters.add(pass);
        signal.addEventListener('abort', giveUp, { once: true });
      }),
    release: (name) => {
      open.add(name);
      const waiters = waiting.get(name);
      waiting.delete(name);
      for (const pass of waiters ?? []) pass();
    },
    reset: () => open.clear(),
  };
}
