/** Which part of a changed line changed: what is left after the common start and end. */

export interface Mark {
  readonly from: number;
  readonly to: number;
}

/** Past this a line is not text somebody reads. */
const MAX_LINE_CHARS = 2_000;

/** Null when hardly anything is common: then the whole line is new and marking it says nothing. */
export function changed(before: string, after: string): readonly [Mark, Mark] | null {
  if (before.length > MAX_LINE_CHARS || after.length > MAX_LINE_CHARS) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  // Whole words: half a number in color is hard to read.
  while (start > 0 && isInsideWord(before, start) && isInsideWord(after, start)) start -= 1;
  while (end > 0 && isInsideWord(before, before.length - end) && isInsideWord(after, after.length - end)) end -= 1;
  if ((start + end) * 3 < Math.max(before.length, after.length)) return null;
  return [
    { from: start, to: before.length - end },
    { from: start, to: after.length - end },
  ];
}

function isInsideWord(text: string, at: number): boolean {
  return /\w/.test(text[at - 1] ?? '') && /\w/.test(text[at] ?? '');
}
