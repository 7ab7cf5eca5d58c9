/** Keeps a row where the reader sees it, whatever is put above it or grows. */

export interface Anchor {
  readonly key: string;
  /** Inside a long answer: the part of it that is in view. */
  readonly chunk: string | null;
  /** Its top, measured from the top of the scroller. */
  readonly top: number;
}

/** The first row of which something is in view. Rows are laid out in order, so a few looks find it. */
export function captureAnchor(scroller: HTMLElement, rows: HTMLElement): Anchor | null {
  const edge = scroller.getBoundingClientRect().top;
  const all = rows.children;
  let low = 0;
  let high = all.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const bottom = all[middle]?.getBoundingClientRect().bottom ?? 0;
    if (bottom > edge) high = middle;
    else low = middle + 1;
  }
  const row = all[low];
  if (!(row instanceof HTMLElement) || row.dataset.key === undefined) return null;
  const parts = [...row.querySelectorAll<HTMLElement>('[data-chunk]')];
  const part = parts.find((one) => one.getBoundingClientRect().bottom > edge);
  const top = (part ?? row).getBoundingClientRect().top - edge;
  return { key: row.dataset.key, chunk: part?.dataset.chunk ?? null, top };
}

/** Puts the anchor's row back where it was; false if the row is no longer mounted. */
export function restoreAnchor(scroller: HTMLElement, rows: HTMLElement, anchor: Anchor): boolean {
  for (const row of rows.children) {
    if (!(row instanceof HTMLElement) || row.dataset.key !== anchor.key) continue;
    const part = anchor.chunk === null ? null : row.querySelector(`[data-chunk="${CSS.escape(anchor.chunk)}"]`);
    const drift = (part ?? row).getBoundingClientRect().top - scroller.getBoundingClientRect().top - anchor.top;
    if (drift !== 0) scroller.scrollTop += drift;
    return true;
  }
  return false;
}
