/** Whether a request may be allowed yet: not before the end of what it would do was in view. Declining is always possible. */
import type { DecisionWord } from '../../contract/approval.ts';

export interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** Borders and fractions of a pixel. */
const TOLERANCE_PX = 2;

/** `boxes`: everything that clips the end, as the scroller and the window. A box without height shows nothing. */
export function isEndShown(end: Span, boxes: readonly Span[]): boolean {
  return boxes.every(
    (box) => box.bottom > box.top && end.bottom <= box.bottom + TOLERANCE_PX && end.bottom >= box.top - TOLERANCE_PX,
  );
}

export function mayDecide(decision: DecisionWord, wasEndShown: boolean): boolean {
  return wasEndShown || decision === 'decline' || decision === 'cancel';
}

/** Codex's own words about a request: cut to a few lines, since they can be as long as Codex likes. */
const MAX_REASON_LINES = 3;
const MAX_REASON_CHARS = 240;

export interface Brief {
  readonly text: string;
  /** Lines of the whole; null when all of it is in `text`. */
  readonly lines: number | null;
}

export function briefReason(reason: string): Brief {
  const lines = reason.split('\n');
  const head = lines.slice(0, MAX_REASON_LINES).join('\n');
  if (lines.length <= MAX_REASON_LINES && reason.length <= MAX_REASON_CHARS) return { text: reason, lines: null };
  return { text: `${head.slice(0, MAX_REASON_CHARS).trimEnd()}…`, lines: lines.length };
}
