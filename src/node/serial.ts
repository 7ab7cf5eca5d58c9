/** Runs asynchronous tasks one at a time, in the order in which they were given. */

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
