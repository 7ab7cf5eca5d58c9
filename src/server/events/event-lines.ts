/** Bytes of a file of events → its whole lines. A line that ends with a backslash goes on in the next one, as in a shell script. */
import { MAX_EVENT_BYTES } from '../../contract/external-event.ts';

export type EventLine = { readonly text: string } | { readonly tooLong: number };

interface Split {
  readonly lines: readonly EventLine[];
  /** Bytes that need not be looked at again. */
  readonly used: number;
}

const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
const RETURN = 0x0d;

/** `isFinal`: nothing will be added, so that a last line without an end is one too. */
export function splitEventLines(bytes: Buffer, isFinal: boolean): Split {
  const lines: EventLine[] = [];
  let used = 0;
  for (;;) {
    const end = endOfLine(bytes, used);
    if (end < 0) break;
    pushLine(lines, bytes, used, end);
    used = end + 1;
  }
  const rest = bytes.length - used;
  if (rest > 0 && isFinal) {
    pushLine(lines, bytes, used, bytes.length);
    used = bytes.length;
  }
  return { lines, used };
}

/** No valid JSON text ends with a backslash, so nothing is taken for a continuation that is none. */
function endOfLine(bytes: Buffer, from: number): number {
  let end = bytes.indexOf(NEWLINE, from);
  while (end > from && lastByte(bytes, from, end) === BACKSLASH) end = bytes.indexOf(NEWLINE, end + 1);
  return end;
}

function lastByte(bytes: Buffer, from: number, end: number): number | undefined {
  const at = bytes[end - 1] === RETURN ? end - 2 : end - 1;
  return at >= from ? bytes[at] : undefined;
}

function pushLine(lines: EventLine[], bytes: Buffer, from: number, end: number): void {
  if (end - from > MAX_EVENT_BYTES + 2) {
    lines.push({ tooLong: end - from });
    return;
  }
  const text = bytes
    .toString('utf8', from, end)
    .replace(/\\\r?\n/g, '')
    .trim();
  if (text !== '') lines.push({ text });
}
