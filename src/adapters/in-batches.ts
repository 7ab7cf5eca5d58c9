/** Groups what comes together, so that the server syncs once for all of it. Takes no more while a batch is worked on. */

export interface BatchLimits<T> {
  readonly maxItems: number;
  readonly weightOf: (item: T) => number;
  readonly maxWeight: number;
}

export async function* inBatches<T>(items: AsyncIterable<T>, limits: BatchLimits<T>): AsyncGenerator<T[]> {
  const iterator = items[Symbol.asyncIterator]();
  const takeNext = (): Promise<IteratorResult<T>> => {
    const next = iterator.next();
    // It may fail while a batch is worked on; whoever asks for the next one is told.
    next.catch(() => undefined);
    return next;
  };
  for (let next = takeNext(); ; ) {
    const first = await next;
    if (first.done === true) return;
    const batch = [first.value];
    let weight = limits.weightOf(first.value);
    next = takeNext();
    while (batch.length < limits.maxItems && weight < limits.maxWeight) {
      const more = await Promise.race([next, nothingMore()]);
      // A failure is left for the next round: what came before it is still good.
      if (more === null || more.done === true) break;
      batch.push(more.value);
      weight += limits.weightOf(more.value);
      next = takeNext();
    }
    yield batch;
  }
}

/** Whatever lies ready has been given by then. */
const nothingMore = (): Promise<null> => new Promise((done) => setImmediate(() => done(null)));
