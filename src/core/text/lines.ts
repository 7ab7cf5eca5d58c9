/** Bytes → lines: incremental, cut only at LF, decoded as whole lines so that no character is ever split, with a longest line. */

/** One line of Codex may carry a 50 MB output; past this it is dropped and counted instead of exhausting memory. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface LineState {
  /** Pieces of the line that has not ended yet. */
  readonly parts: readonly Uint8Array[];
  readonly size: number;
}

export const EMPTY_LINES: LineState = { parts: [], size: 0 };

export type Line = { readonly text: string } | { readonly oversize: number };

export interface LineStep {
  readonly state: LineState;
  readonly lines: readonly Line[];
}

const LF = 10;
/** A BOM would be dropped at the start of each decode, that is, depending on where the bytes were cut. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function pushBytes(state: LineState, chunk: Uint8Array, maxBytes = MAX_LINE_BYTES): LineStep {
  const first = chunk.indexOf(LF);
  if (first < 0) return { state: keep(state, chunk, maxBytes), lines: [] };
  const lines: Line[] = [endLine(state, chunk.subarray(0, first), maxBytes)];
  const last = chunk.lastIndexOf(LF);
  if (last > first) lines.push(...wholeLines(chunk.subarray(first + 1, last), maxBytes));
  return { state: keep(EMPTY_LINES, chunk.subarray(last + 1), maxBytes), lines };
}

/** Lines that lie whole in one chunk are decoded in one go, unless one of them may be too long. */
function wholeLines(bytes: Uint8Array, maxBytes: number): Line[] {
  if (bytes.length <= maxBytes)
    return decoder
      .decode(bytes)
      .split('\n')
      .map((text) => ({ text: withoutCr(text) }));
  const lines: Line[] = [];
  let from = 0;
  for (let to = bytes.indexOf(LF); to >= 0; to = bytes.indexOf(LF, from)) {
    lines.push(endLine(EMPTY_LINES, bytes.subarray(from, to), maxBytes));
    from = to + 1;
  }
  return [...lines, endLine(EMPTY_LINES, bytes.subarray(from), maxBytes)];
}

/** The unfinished last line, when the stream has ended. */
export function endBytes(state: LineState, maxBytes = MAX_LINE_BYTES): readonly Line[] {
  return state.size === 0 ? [] : [endLine(state, new Uint8Array(0), maxBytes)];
}

/** Past the maximum only the size is remembered, not the bytes. */
function keep(state: LineState, piece: Uint8Array, maxBytes: number): LineState {
  if (piece.length === 0) return state;
  const size = state.size + piece.length;
  return size > maxBytes ? { parts: [], size } : { parts: [...state.parts, piece], size };
}

function endLine(state: LineState, rest: Uint8Array, maxBytes: number): Line {
  const size = state.size + rest.length;
  if (size > maxBytes) return { oversize: size };
  if (state.size === 0) return { text: withoutCr(decoder.decode(rest)) };
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of [...state.parts, rest]) {
    whole.set(part, at);
    at += part.length;
  }
  return { text: withoutCr(decoder.decode(whole)) };
}

function withoutCr(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
