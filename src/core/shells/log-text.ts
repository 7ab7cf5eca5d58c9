/** Bytes of a log as text: a page never begins or ends inside a character, whatever offsets were asked for. */

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const LF = 10;

/** A character has at most four bytes, so three may be cut off on either side. */
const MAX_CUT = 3;

export interface TextCut {
  readonly text: string;
  /** Bytes left out at the beginning, since they belong to a character before. */
  readonly skipped: number;
  /** Bytes left out at the end, since their character has not come whole. */
  readonly held: number;
}

/** `isFirst`: no character can begin before these bytes. A tail that can never become a character is decoded as it is. */
export function decodeCut(bytes: Uint8Array, isFirst: boolean): TextCut {
  const skipped = isFirst ? 0 : leading(bytes);
  const held = trailing(bytes.subarray(skipped));
  return { text: decoder.decode(bytes.subarray(skipped, bytes.length - held)), skipped, held };
}

function leading(bytes: Uint8Array): number {
  let at = 0;
  while (at < Math.min(MAX_CUT, bytes.length) && isContinuation(bytes[at])) at += 1;
  // More than three in a row belong to no character: they are not ours to drop.
  return isContinuation(bytes[at]) ? 0 : at;
}

function trailing(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(MAX_CUT, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return lengthOf(byte) > back ? back : 0;
  }
  return 0;
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function lengthOf(byte: number): number {
  if (byte >= 0xf0 && byte < 0xf8) return 4;
  if (byte >= 0xe0) return byte < 0xf0 ? 3 : 1;
  return byte >= 0xc0 ? 2 : 1;
}

/** Where the last `lines` lines begin in these bytes; null when they begin before them. A last line without an end counts. */
export function startOfLastLines(bytes: Uint8Array, lines: number): number | null {
  let left = lines;
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    if (bytes[at] !== LF || at === bytes.length - 1) continue;
    left -= 1;
    if (left === 0) return at + 1;
  }
  return null;
}
