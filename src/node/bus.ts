/** A list of subscribers that hear each value once and in order. It exists before whoever emits and whoever listens. */

export interface Bus<T> {
  emit(value: T): void;
  /** Returns how to unsubscribe. */
  subscribe(listener: (value: T) => void): () => void;
}

/** `onError`: a listener threw; the other listeners are called all the same. */
export function createBus<T>(onError: (error: unknown) => void): Bus<T> {
  const listeners = new Set<(value: T) => void>();
  /** Values emitted while listeners are being called: they wait, so that every listener hears the same order. */
  const waiting: T[] = [];
  let isEmitting = false;

  const deliver = (value: T) => {
    for (const listener of [...listeners]) {
      try {
        listener(value);
      } catch (error) {
        onError(error);
      }
    }
  };

  return {
    emit(value) {
      waiting.push(value);
      if (isEmitting) return;
      isEmitting = true;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) deliver(next);
      isEmitting = false;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
