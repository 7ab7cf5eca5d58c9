/**
 * A long text → segments that can be lexed apart, found in one pass over its lines and continued where the pass ended
 * when the text grows. Where a cut falls depends on the text before it only, so a replayed answer has those of the live one.
 */

export interface Segments {
  readonly text: string;
  /** Where each segment begins; the last one may still grow. */
  readonly starts: readonly number[];
  readonly scan: Scan;
}

interface Scan {
  /** Start of the first line that is not complete yet. */
  readonly at: number;
  /** The marks of the fence that the line stands in. */
  readonly fence: string | null;
  readonly isAfterBlank: boolean;
}

export const NO_SEGMENTS: Segments = { text: '', starts: [0], scan: { at: 0, fence: null, isAfterBlank: false } };

/** A screen: what is mounted and laid out as one. */
const WANTED_CHARS = 2_000;
/** A list that goes on longer than this is cut between its items, so that the open part stays cheap to lex. */
const LONG_CHARS = 6_000;

const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;

export function cutSegments(before: Segments, text: string): Segments {
  if (text === before.text) return before;
  const grows = text.length > before.text.length && text.startsWith(before.text);
  const from = grows ? before : NO_SEGMENTS;
  let { at, fence, isAfterBlank } = from.scan;
  let start = from.starts.at(-1) ?? 0;
  const added: number[] = [];
  for (let end = text.indexOf('\n', at); end >= 0; end = text.indexOf('\n', at)) {
    const line = text.slice(at, end);
    if (fence === null && mayCut(line, at - start, isAfterBlank)) {
      added.push(at);
      start = at;
    }
    fence = fenceAfter(fence, line);
    isAfterBlank = fence === null && line.trim() === '';
    at = end + 1;
  }
  const starts = added.length === 0 ? from.starts : [...from.starts, ...added];
  return { text, starts, scan: { at, fence, isAfterBlank } };
}

/** Whether a line surely begins a block of its own, far enough from the last cut. */
function mayCut(line: string, length: number, isAfterBlank: boolean): boolean {
  if (length < WANTED_CHARS || line === '' || /^\s/.test(line)) return false;
  if (LIST_ITEM.test(line)) return length >= LONG_CHARS;
  return isAfterBlank;
}

function fenceAfter(fence: string | null, line: string): string | null {
  const found = FENCE.exec(line);
  const marks = found?.[1];
  if (marks === undefined) return fence;
  const rest = found?.[2] ?? '';
  if (fence === null) return marks.startsWith('`') && rest.includes('`') ? null : marks;
  const isEnd = marks[0] === fence[0] && marks.length >= fence.length && rest.trim() === '';
  return isEnd ? null : fence;
}
