/** Holds what arrives and gives it over once per animation frame, so that a thousand deltas cost one render. */

export interface FrameBatch<T> {
  push(one: T): void;
  flush(): void;
}

/** A hidden page gets no animation frames; it must still fold what arrives, only less often. */
const HIDDEN_INTERVAL_MS = 250;
/**
 * Text that grows is shown twenty times a second: nobody reads faster, and each step costs a layout, a paint and a commit.
 * A little under three frames, so that a late frame does not make it four.
 */
const LEISURE_MS = 46;

/** What `isLeisurely` may wait until text is shown next; anything else comes with the next frame. */
export function createFrameBatch<T>(
  apply: (all: readonly T[]) => void,
  isLeisurely: (one: T) => boolean = () => false,
): FrameBatch<T> {
  let held: T[] = [];
  let frame: number | null = null;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let hidden: ReturnType<typeof setTimeout> | undefined;
  let flushedAt = 0;

  function flush(): void {
    if (frame !== null) cancelAnimationFrame(frame);
    clearTimeout(pause);
    clearTimeout(hidden);
    frame = null;
    pause = undefined;
    hidden = undefined;
    const all = held;
    held = [];
    if (all.length === 0) return;
    flushedAt = performance.now();
    apply(all);
  }

  function askForFrame(): void {
    clearTimeout(pause);
    pause = undefined;
    frame ??= requestAnimationFrame(flush);
  }

  return {
    push: (one) => {
      held.push(one);
      hidden ??= setTimeout(flush, HIDDEN_INTERVAL_MS);
      if (frame !== null) return;
      const waitMs = isLeisurely(one) ? LEISURE_MS - (performance.now() - flushedAt) : 0;
      if (waitMs <= 0) askForFrame();
      else pause ??= setTimeout(askForFrame, waitMs);
    },
    flush,
  };
}
