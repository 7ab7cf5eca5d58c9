/** Which part of a changed line changed: what is left after the common start and end. */
import type { DiffLine, Hunk } from './parse-diff.ts';

export interface Mark {
  readonly from: number;
  readonly to: number;
}

/** Past this a line is not text somebody reads. */
const MAX_LINE_CHARS = 2_000;

/** Line → its changed part, for removed lines that are followed by as many added ones. */
export function markWords(hunk: Hunk): ReadonlyMap<DiffLine, Mark> {
  const marks = new Map<DiffLine, Mark>();
  const { lines } = hunk;
  for (let at = 0; at < lines.length; ) {
    const removed = run(lines, at, 'del');
    const added = run(lines, at + removed.length, 'add');
    if (removed.length > 0 && removed.length === added.length) {
      removed.forEach((before, n) => {
        const after = added[n];
        const pair = after === undefined ? null : changed(before.text, after.text);
        if (pair === null || after === undefined) return;
        marks.set(before, pair[0]);
        marks.set(after, pair[1]);
      });
    }
    at += Math.max(1, removed.length + added.length);
  }
  return marks;
}

function run(lines: readonly DiffLine[], from: number, type: DiffLine['type']): readonly DiffLine[] {
  let to = from;
  while (lines[to]?.type === type) to += 1;
  return lines.slice(from, to);
}

/** Null when hardly anything is common: then the whole line is new and marking it says nothing. */
export function changed(before: string, after: string): readonly [Mark, Mark] | null {
  if (before.length > MAX_LINE_CHARS || after.length > MAX_LINE_CHARS) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  if ((start + end) * 3 < Math.max(before.length, after.length)) return null;
  return [
    { from: start, to: before.length - end },
    { from: start, to: after.length - end },
  ];
}
