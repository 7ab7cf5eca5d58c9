/** Decides whether one line of a log is an entry. Pure; used by log-scan and, to check a single line, by index-file. */

/** Why a line is not served. `skipped_before`: found as a gap in a valid index, so what lies there was judged by an earlier run. */
export type SkipReason =
  | 'blank'
  | 'not_json'
  | 'no_seq'
  | 'seq_order'
  | 'seq_jump'
  | 'too_long'
  | 'torn'
  | 'skipped_before';

/** A line this long is a mistake or an attack; it is never held in memory. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const PREFIX = Buffer.from('{"seq":');
const BRACE_CLOSE = 0x7d;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
/** Fifteen digits are always a safe integer; longer ones go the slow way. */
const MAX_FAST_DIGITS = 15;

/**
 * The entry's seq, or why it is none. Our writer puts `{"seq":N,` first, so a look at both ends is enough; `strict`
 * parses the whole line, which is needed where a crash can have left holes.
 */
export function classifyLine(bytes: Buffer, start: number, end: number, strict: boolean): number | SkipReason {
  if (start === end) return 'blank';
  const fast = bytes[end - 1] === BRACE_CLOSE ? readSeqPrefix(bytes, start, end) : null;
  if (fast !== null && !strict) return fast;
  const parsed = parseSeq(bytes.toString('utf8', start, end));
  // Two `seq` keys: the reader of the entry would see another number than the index.
  if (fast !== null && typeof parsed === 'number' && parsed !== fast) return 'no_seq';
  return parsed;
}

function readSeqPrefix(bytes: Buffer, start: number, end: number): number | null {
  if (bytes.compare(PREFIX, 0, PREFIX.length, start, Math.min(end, start + PREFIX.length)) !== 0) return null;
  const first = start + PREFIX.length;
  let at = first;
  let seq = 0;
  for (; at < end && at - first < MAX_FAST_DIGITS; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < ZERO || byte > NINE) break;
    seq = seq * 10 + (byte - ZERO);
  }
  const digits = at - first;
  const closing = bytes[at];
  if (digits === 0 || (digits > 1 && bytes[first] === ZERO)) return null;
  return closing === COMMA || (closing === BRACE_CLOSE && at === end - 1) ? seq : null;
}

function parseSeq(text: string): number | SkipReason {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text.trim() === '' ? 'blank' : 'not_json';
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'seq') || !('seq' in value)) return 'no_seq';
  return typeof value.seq === 'number' && Number.isSafeInteger(value.seq) ? value.seq : 'no_seq';
}
