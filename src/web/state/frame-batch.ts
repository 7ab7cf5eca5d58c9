/** Holds what arrives and gives it over once per animation frame, so that a thousand deltas cost one render. */

export interface FrameBatch<T> {
  push(one: T): void;
  flush(): void;
}

/** A hidden page gets no animation frames; it must still fold what arrives, only less often. */
const HIDDEN_INTERVAL_MS = 250;

export function createFrameBatch<T>(apply: (all: readonly T[]) => void): FrameBatch<T> {
  let held: T[] = [];
  let frame: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    if (frame !== null) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = null;
    const all = held;
    held = [];
    if (all.length > 0) apply(all);
  }

  return {
    push: (one) => {
      held.push(one);
      if (frame !== null) return;
      frame = requestAnimationFrame(flush);
      timer = setTimeout(flush, HIDDEN_INTERVAL_MS);
    },
    flush,
  };
}
