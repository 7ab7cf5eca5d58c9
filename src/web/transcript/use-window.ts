/** Which rows of a fixed height are in view of a box that scrolls, and a little around it. */
import { type UIEvent, useState } from 'react';

export interface Window {
  readonly first: number;
  readonly last: number;
  readonly onScroll: (event: UIEvent<HTMLElement>) => void;
}

/** Rows mounted beyond what is in view, each way; the window moves in steps of half of it. */
const BEYOND = 16;
const STEP = 8;

export function windowAt(top: number, height: number, rowPx: number, total: number): readonly [number, number] {
  const seen = Math.floor(top / rowPx / STEP) * STEP;
  const first = Math.max(0, Math.min(seen, total) - BEYOND);
  // Before anybody scrolls, what is in view and a step more: the first paint waits for no row that is not seen.
  const beyond = seen === 0 ? 0 : BEYOND;
  return [first, Math.min(total, seen + Math.ceil(height / rowPx) + STEP + beyond)];
}

export function useWindow(total: number, rowPx: number, heightPx: number): Window {
  const [top, setTop] = useState(0);
  const [first, last] = windowAt(top, heightPx, rowPx, total);
  return {
    first,
    last,
    onScroll: ({ currentTarget }) => {
      const next = Math.floor(currentTarget.scrollTop / rowPx / STEP) * STEP * rowPx;
      if (next !== top) setTop(next);
    },
  };
}
