/** Lengths and cuts in UTF-8 bytes, the unit of limits on files, on the wire and in a model's context. Counts as TextEncoder writes. */

export function byteLength(text: string): number {
  // One for each UTF-16 unit, then what a unit has more: events come by the thousand, and nearly all are ASCII.
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x7f) continue;
    bytes += code > 0x7ff ? 2 : 1;
    // A pair has four bytes: three for its first half, one (counted above) for its second.
    if (isPairAt(text, at)) at += 1;
  }
  return bytes;
}

/** Bytes of the character that begins here. Half a surrogate pair is written as U+FFFD, which has three. */
function widthAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code <= 0x7f) return 1;
  if (code <= 0x7ff) return 2;
  return isPairAt(text, at) ? 4 : 3;
}

function isPairAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff && isLowSurrogate(text.charCodeAt(at + 1));
}

export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The first characters of `text` that fit in `maxBytes`. */
export function headBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  while (end < text.length) {
    const width = widthAt(text, end);
    bytes += width;
    if (bytes > maxBytes) break;
    end += width === 4 ? 2 : 1;
  }
  return text.slice(0, end);
}

/** The last characters of `text` that fit in `maxBytes`. */
export function tailBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let start = text.length;
  while (start > 0) {
    const from = start - (start > 1 && isPairAt(text, start - 2) ? 2 : 1);
    bytes += widthAt(text, from);
    if (bytes > maxBytes) break;
    start = from;
  }
  return text.slice(start);
}

export interface CutBytes {
  readonly text: string;
  /** How many bytes of the original are gone. */
  readonly cutBytes: number;
}

/** Keeps both ends, and says between them how much is gone; the mark counts against the limit. */
export function cutMiddleBytes(text: string, maxBytes: number): CutBytes {
  const total = byteLength(text);
  if (total <= maxBytes) return { text, cutBytes: 0 };
  const room = Math.max(0, maxBytes - byteLength(markOf(total)));
  const head = headBytes(text, Math.ceil(room / 2));
  const tail = tailBytes(text, Math.floor(room / 2));
  const cutBytes = total - byteLength(head) - byteLength(tail);
  return { text: headBytes(`${head}${markOf(cutBytes)}${tail}`, maxBytes), cutBytes };
}

const markOf = (bytes: number): string => `…[${bytes} bytes cut]…`;

/** Keeps the beginning, and says after it how much is gone; the mark does not count against the limit. */
export function cutEndBytes(text: string, maxBytes: number): string {
  // Three bytes at most for each unit: a short text need not be counted.
  if (text.length * 3 <= maxBytes) return text;
  const total = byteLength(text);
  if (total <= maxBytes) return text;
  const head = headBytes(text, maxBytes);
  return `${head}… [${total - byteLength(head)} bytes cut]`;
}
