/** Which rows are mounted: about a hundred, whatever the conversation's length. Moves in steps, so that scrolling seldom renders. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Enough for several screens each way; opening costs 2.5 times more at 400. */
export const MAX_MOUNTED = 120;
const STEP = 40;

/** At the end, and the start moves only every STEP rows. */
export function spanAtEnd(total: number): Span {
  const over = Math.max(0, total - (MAX_MOUNTED - STEP));
  return { start: Math.floor(over / STEP) * STEP, end: total };
}

/** From a row that must stay mounted; rows that arrive behind the span are not mounted until somebody scrolls there. */
export function spanFrom(start: number, total: number): Span {
  return { start, end: Math.min(total, start + MAX_MOUNTED) };
}

export function startBefore(start: number): number {
  return Math.max(0, start - STEP);
}

export function startAfter(start: number, total: number): number {
  return Math.max(start, Math.min(start + STEP, total - (MAX_MOUNTED - STEP)));
}
