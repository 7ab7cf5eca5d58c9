/**
 * Overwrites every nonce in the bytes of a terminal, so that none is stored, shown or given to a model. Incremental: any cut gives the
 * same bytes, none is held back, and offsets stay as they are. A nonce is known by its prefix, so that one the shell has just made,
 * or that a trace of the shell prints before its mark does, is overwritten too.
 */

export const NONCE_PREFIX = 'sbnonce_';
const NONCE_HEX = 32;
export const NONCE_PATTERN = /^sbnonce_[0-9a-f]{32}$/;

/** How many bytes of a nonce have passed. */
export type BlankState = number;

/** The first byte of the prefix stands nowhere else in it, so that a mismatch needs to look at one byte only. */
const PREFIX = new TextEncoder().encode(NONCE_PREFIX);
const FIRST = PREFIX[0] ?? 0;
const STAR = 0x2a;

export function blankNonces(from: BlankState, chunk: Uint8Array): { state: BlankState; bytes: Uint8Array } {
  let state = from;
  let bytes = chunk;
  let at = 0;
  while (at < chunk.length) {
    if (state === 0) {
      const found = chunk.indexOf(FIRST, at);
      if (found < 0) break;
      at = found;
    }
    const byte = chunk[at] ?? 0;
    if (state >= PREFIX.length && isHex(byte)) {
      // A copy: the caller still reads its marks out of the chunk.
      if (bytes === chunk) bytes = chunk.slice();
      bytes[at] = STAR;
      state = state + 1 === PREFIX.length + NONCE_HEX ? 0 : state + 1;
    } else if (byte === PREFIX[state]) state += 1;
    else state = byte === FIRST ? 1 : 0;
    at += 1;
  }
  return { state, bytes };
}

const isHex = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66);
