/** Waiting for something to have happened: looks again whenever told to, and gives up with words that say what was there instead. */

export interface Waits {
  /** Something happened. */
  wake(): void;
  /** Resolves with the first thing `look` finds, also one that is there already. */
  until<T>(look: () => T | undefined, describeFailure: () => string): Promise<T>;
}

/** Less than a test has, so that the words are seen. */
const WAIT_MS = 25_000;

export function createWaits(): Waits {
  const lookers = new Set<() => void>();
  return {
    wake() {
      for (const look of [...lookers]) look();
    },
    until: <T>(find: () => T | undefined, describeFailure: () => string) =>
      new Promise<T>((done, fail) => {
        const late = setTimeout(() => {
          lookers.delete(look);
          fail(new Error(describeFailure()));
        }, WAIT_MS);
        const look = () => {
          const found = find();
          if (found === undefined) return;
          clearTimeout(late);
          lookers.delete(look);
          done(found);
        };
        lookers.add(look);
        look();
      }),
  };
}
