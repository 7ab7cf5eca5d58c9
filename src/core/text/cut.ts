/** Cuts that keep both ends of a long text and say how much is gone. */
import { isLowSurrogate } from './bytes.ts';

/** Characters of a command's or tool's output kept in an entry; the middle is dropped, since head and tail are what people read. */
export const MAX_OUTPUT_CHARS = 256 * 1024;

export interface CutText {
  readonly text: string;
  readonly omitted: number;
}

export function cutMiddle(text: string, maxChars = MAX_OUTPUT_CHARS): CutText {
  if (text.length <= maxChars) return { text, omitted: 0 };
  const head = wholeCharacters(text, 0, Math.floor(maxChars / 2));
  const tail = wholeCharacters(text, text.length - Math.ceil(maxChars / 2), text.length);
  const omitted = text.length - head.length - tail.length;
  return { text: `${head}\n… ${omitted} characters omitted …\n${tail}`, omitted };
}

/** A last line without a line break counts; an empty text has none. */
export function countLines(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

export function firstLine(text: string, maxChars: number): string {
  const line = text.trimStart().split('\n', 1)[0] ?? '';
  return line.length <= maxChars ? line : `${wholeCharacters(line, 0, maxChars - 1)}…`;
}

/** A slice that does not begin or end in the middle of a surrogate pair. */
export function wholeCharacters(text: string, from: number, to: number): string {
  const start = isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from;
  const end = isLowSurrogate(text.charCodeAt(to)) ? to - 1 : to;
  return text.slice(start, end);
}
