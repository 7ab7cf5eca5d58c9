/**
 * A long text → segments that can be lexed apart, found in one pass over its lines and continued where the pass ended
 * when the text grows. Where a cut falls depends on the text before it only, so a replayed answer has those of the live one.
 */

export interface Segments {
  readonly text: string;
  /** Where each segment begins; the last one may still grow. */
  readonly starts: readonly number[];
  /** Starts of the segments whose complete lines are too long to be formatted. */
  readonly tooLong: ReadonlySet<number>;
  /** Whether the last segment is too long, with the line that is not complete yet. */
  readonly isLastTooLong: boolean;
  readonly scan: Scan;
}

interface Scan {
  /** Start of the first line that is not complete yet. */
  readonly at: number;
  /** The marks of the fence that the line stands in. */
  readonly fence: string | null;
  readonly isAfterBlank: boolean;
  /** Complete lines of the last segment. */
  readonly lines: number;
  /** Characters of the last segment that the lexer would look at more than once: neither in a fence nor in a table. */
  readonly dense: number;
  /** Characters of the last segment in tables. */
  readonly tabular: number;
}

export const NO_SEGMENTS: Segments = {
  text: '',
  starts: [0],
  tooLong: new Set(),
  isLastTooLong: false,
  scan: { at: 0, fence: null, isAfterBlank: false, lines: 0, dense: 0, tabular: 0 },
};

/** A screen: what is mounted and laid out as one. */
const WANTED_CHARS = 2_000;
/** A list that goes on longer than this is cut between its items, so that the open part stays cheap to lex. */
const LONG_CHARS = 6_000;
/** The same for a list of many short items, each of which is several elements. */
const LONG_LINES = 250;

/** The lexer's time for lists and quotes grows with the square of their length: 12 KB take about 30 ms. */
const MAX_DENSE_CHARS = 12_000;
/** The lexer is linear in tables; this is about how many cells a browser lays out at once. */
const MAX_TABULAR_CHARS = 48_000;

const FENCE = /^[ \t]*(`{3,}|~{3,})([\s\S]*)$/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;

export function cutSegments(before: Segments, text: string): Segments {
  if (text === before.text) return before;
  const grows = text.length > before.text.length && text.startsWith(before.text);
  const from = grows ? before : NO_SEGMENTS;
  let { at, fence, isAfterBlank, lines, dense, tabular } = from.scan;
  let start = from.starts.at(-1) ?? 0;
  const added: number[] = [];
  const tooLong = new Set(from.tooLong);
  for (let end = text.indexOf('\n', at); end >= 0; end = text.indexOf('\n', at)) {
    const line = text.slice(at, end);
    const isOver = tooLong.has(start);
    if (fence === null && (isOver ? isAfterBlank : mayCut(line, at - start, lines, isAfterBlank))) {
      added.push(at);
      start = at;
      lines = 0;
      dense = 0;
      tabular = 0;
    }
    lines += 1;
    if (line.startsWith('|')) tabular += line.length;
    else if (fence === null) dense += line.length;
    if (isTooLong(dense, tabular)) tooLong.add(start);
    fence = fenceAfter(fence, line);
    isAfterBlank = fence === null && line.trim() === '';
    at = end + 1;
  }
  const rest = fence === null ? text.length - at : 0;
  return {
    text,
    starts: added.length === 0 ? from.starts : [...from.starts, ...added],
    tooLong,
    isLastTooLong: tooLong.has(start) || isTooLong(dense + rest, tabular),
    scan: { at, fence, isAfterBlank, lines, dense, tabular },
  };
}

function isTooLong(dense: number, tabular: number): boolean {
  return dense > MAX_DENSE_CHARS || tabular > MAX_TABULAR_CHARS;
}

/** Whether a line surely begins a block of its own, far enough from the last cut. */
function mayCut(line: string, length: number, lines: number, isAfterBlank: boolean): boolean {
  if (line === '' || /^\s/.test(line)) return false;
  if (LIST_ITEM.test(line)) return length >= LONG_CHARS || lines >= LONG_LINES;
  return isAfterBlank && length >= WANTED_CHARS;
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
