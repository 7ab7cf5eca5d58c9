/** Messages on their way from the callback of a client library to the loop that takes them; some come back later. */

export interface Inbox<T> {
  push(item: T): void;
  /** Given again after this time. */
  pushLater(item: T, afterMs: number): void;
  /** Ends the loop; what waits here stays with the broker. */
  fail(error: Error): void;
  /** Items that wait here, those that come later too. */
  size(): number;
  items(): AsyncGenerator<T>;
}

export function createInbox<T>(): Inbox<T> {
  const ready: T[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let failure: Error | null = null;
  let wake = (): void => {};
  const push = (item: T): void => {
    ready.push(item);
    wake();
  };
  return {
    push,
    pushLater(item, afterMs) {
      if (failure !== null) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        push(item);
      }, afterMs);
      timers.add(timer);
    },
    fail(error) {
      failure ??= error;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      wake();
    },
    size: () => ready.length + timers.size,
    async *items() {
      for (;;) {
        if (failure !== null) throw failure;
        const item = ready.shift();
        if (item !== undefined) {
          yield item;
          continue;
        }
        await new Promise<void>((done) => {
          wake = done;
        });
      }
    },
  };
}
