/** Runs work in the order it was added, one at a time per key; different keys do not wait for each other. */

export interface KeyedQueue<K> {
  /** Resolves when this work is done; never rejects. */
  add(key: K, work: () => Promise<unknown> | unknown): Promise<void>;
  /** Resolves when everything added so far for this key is done. */
  idle(key: K): Promise<void>;
  /** The same for every key. */
  allIdle(): Promise<void>;
}

/** `onError`: work that threw; the work behind it runs all the same. */
export function createKeyedQueue<K>(onError: (error: unknown, key: K) => void): KeyedQueue<K> {
  const last = new Map<K, Promise<void>>();
  return {
    add(key, work) {
      const next = (last.get(key) ?? Promise.resolve()).then(async () => {
        try {
          await work();
        } catch (error) {
          onError(error, key);
        }
        if (last.get(key) === next) last.delete(key);
      });
      last.set(key, next);
      return next;
    },
    idle: (key) => last.get(key) ?? Promise.resolve(),
    async allIdle() {
      await Promise.all(last.values());
    },
  };
}
