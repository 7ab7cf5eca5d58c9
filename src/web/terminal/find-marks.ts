/**
 * Finds, in the terminal's bytes, where the output of a command may begin: behind each `OSC 133 ; C`. Any program can print one, so these
 * are candidates only; a place counts when the server names a block that begins there.
 */

export interface MarkScan {
  /** How many bytes of `OSC 133 ; C` have matched; its length means: inside, waiting for the end. */
  readonly matched: number;
  /** The last byte was an escape that may begin the terminator. */
  readonly isEscaped: boolean;
}

export const NO_SCAN: MarkScan = { matched: 0, isEscaped: false };

const ESC = 0x1b;
const BEL = 0x07;
const BACKSLASH = 0x5c;
const MARK = [ESC, ...[...']133;C'].map((one) => one.charCodeAt(0))];

/** Places in `bytes` behind a whole mark, and what to go on with in the next bytes. */
export function findMarks(
  scan: MarkScan,
  bytes: Uint8Array,
): { readonly scan: MarkScan; readonly ends: readonly number[] } {
  const ends: number[] = [];
  let { matched, isEscaped } = scan;
  for (let at = 0; at < bytes.length; at++) {
    if (matched === 0) {
      at = bytes.indexOf(ESC, at);
      if (at < 0) break;
      matched = 1;
    } else if (matched < MARK.length) {
      const byte = bytes[at];
      matched = byte === MARK[matched] ? matched + 1 : byte === ESC ? 1 : 0;
    } else {
      const byte = bytes[at];
      if (byte === BEL || (isEscaped && byte === BACKSLASH)) {
        ends.push(at + 1);
        matched = 0;
        isEscaped = false;
      } else if (isEscaped) {
        // Any other escape ends the string unfinished and may itself begin a mark.
        isEscaped = false;
        matched = byte === MARK[1] ? 2 : 0;
      } else isEscaped = byte === ESC;
    }
  }
  return { scan: { matched, isEscaped }, ends };
}
