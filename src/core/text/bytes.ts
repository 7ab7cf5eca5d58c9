/** Lengths and cuts in UTF-8 bytes, the unit every limit of a model's context is in. */

export function byteLength(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Two halves of a pair are four bytes; a half alone is written as U+FFFD, which is three.
    const isPair = isHigh(code) && isLow(text.charCodeAt(at + 1));
    if (isPair) at += 1;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : isPair ? 4 : 3;
  }
  return bytes;
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** The first characters of `text` that fit in `maxBytes`. */
export function headBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += byteLength(character);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** The last characters of `text` that fit in `maxBytes`. */
export function tailBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let start = text.length;
  while (start > 0) {
    const isPair = start > 1 && isLow(text.charCodeAt(start - 1)) && isHigh(text.charCodeAt(start - 2));
    const from = start - (isPair ? 2 : 1);
    bytes += byteLength(text.slice(from, start));
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
