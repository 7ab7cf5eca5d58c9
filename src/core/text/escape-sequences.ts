/** The escape sequences of terminals, as they stand in text that a program printed or a stranger sent. */

/**
 * One whole sequence. In this order:
 * - a control sequence (colors, cursor) in its 7-bit or 8-bit form; group 1 holds its parameters, group 2 its final byte, which an
 *   unfinished one lacks;
 * - an OSC string (titles, links), up to its end, the next escape or the end of the text;
 * - a DCS, SOS, PM or APC string likewise, except that a BEL does not end it;
 * - the same strings in their 8-bit form, only if they are ended: text that was decoded wrongly is full of such characters,
 *   and one of them must not take the rest of the text with it;
 * - any other escape.
 * No part scans what another part scans again, so that a million beginnings are read in linear time.
 */
export const ESCAPE_SEQUENCE =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])?|\x1b\][^\x07\x18\x1a\x1b\x9c]*(?:\x1b\\|[\x07\x18\x1a\x9c])?|\x1b[PX^_][^\x18\x1a\x1b\x9c]*(?:\x1b\\|[\x18\x1a\x9c])?|[\x90\x98\x9d-\x9f][^\x07\x18\x1a\x1b\x80-\x9f]*(?:\x1b\\|[\x07\x9c])|\x1b[ -/]*[0-~]?/g;

/** Other control characters stay; `cleanText` takes those. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPE_SEQUENCE, '');
}
