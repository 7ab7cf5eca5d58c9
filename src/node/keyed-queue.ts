/** Work that nobody waits for the outcome of: in the order it was added, one at a time per key; failures go to one listener. */
import { createKeyedSerial } from './serial.ts';

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
  const { run, idle, allIdle } = createKeyedSerial<K>();
  return {
    add: (key, work) =>
      run(key, async () => {
        try {
          await work();
        } catch (error) {
          onError(error, key);
        }
      }),
    idle,
    allIdle,
  };
}
