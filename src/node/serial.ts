/** Runs asynchronous tasks one at a time, in the order in which they were given; with keys, one at a time per key. */

export interface Serial {
  /** Starts the task when all earlier tasks have ended, whether or not they failed. Resolves or rejects as the task does. */
  run<T>(task: () => T | Promise<T>): Promise<T>;
  /** Resolves when all tasks given so far have ended. Never rejects: a task's failure is told to the caller of `run`. */
  idle(): Promise<void>;
}

const ignore = (): void => undefined;

export function createSerial(): Serial {
  let last: Promise<void> = Promise.resolve();
  return {
    run(task) {
      const result = last.then(task);
      last = result.then(ignore, ignore);
      return result;
    },
    idle: () => last,
  };
}

export interface KeyedSerial<K> {
  /** As `Serial.run`, behind the earlier tasks of the same key; tasks of different keys do not wait for each other. */
  run<T>(key: K, task: () => T | Promise<T>): Promise<T>;
  idle(key: K): Promise<void>;
  /** The same for every key. */
  allIdle(): Promise<void>;
}

export function createKeyedSerial<K>(): KeyedSerial<K> {
  /** Only of keys whose tasks have not all ended. */
  const busy = new Map<K, { readonly serial: Serial; tasks: number }>();
  return {
    async run(key, task) {
      const one = busy.get(key) ?? { serial: createSerial(), tasks: 0 };
      busy.set(key, one);
      one.tasks += 1;
      try {
        return await one.serial.run(task);
      } finally {
        one.tasks -= 1;
        if (one.tasks === 0) busy.delete(key);
      }
    },
    idle: (key) => busy.get(key)?.serial.idle() ?? Promise.resolve(),
    async allIdle() {
      await Promise.all([...busy.values()].map(({ serial }) => serial.idle()));
    },
  };
}
