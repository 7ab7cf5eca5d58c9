/** Walks the lines of a log file in large reads and gives each one's verdict, holding one line at most. Used by load-log. */

import type { LogHandle } from './log-files.ts';
import { classifyLine, MAX_LINE_BYTES, type SkipReason } from './log-line.ts';

export interface ScannedLine {
  offset: number;
  /** In bytes, without the newline. */
  length: number;
  /** The entry's seq, or why the line is none. */
  verdict: number | SkipReason;
}

/** Large enough that the reads cost less than the search for newlines, small enough not to hold up the event loop. */
const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** Lines that begin at or after `strictFrom` are parsed whole. Answers what follows the last newline, or null. */
export async function scanLines(
  handle: LogHandle,
  range: { from: number; size: number; strictFrom: number },
  visit: (line: ScannedLine) => void,
): Promise<ScannedLine | null> {
  const window = createWindow(range.from, range.size - range.from);
  while (window.end() < range.size) {
    const count = await handle.read(window.room(range.size), window.end());
    if (count === 0) break;
    window.fill(count, range.strictFrom, visit);
  }
  return window.rest();
}

interface Window {
  /** The file offset up to which bytes have been taken in. */
  end(): number;
  /** Where the next bytes are to be read into. */
  room(size: number): Buffer;
  fill(count: number, strictFrom: number, visit: (line: ScannedLine) => void): void;
  rest(): ScannedLine | null;
}

function createWindow(from: number, total: number): Window {
  let buffer = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, total)));
  let start = from;
  let filled = 0;
  /** Where the line began whose first part was too long to keep. */
  let longStart: number | null = null;

  const takeLine = (lineStart: number, lineEnd: number, hasNul: boolean, isStrict: boolean): ScannedLine => {
    const offset = longStart ?? start + lineStart;
    const length = start + lineEnd - offset;
    longStart = null;
    if (length > MAX_LINE_BYTES) return { offset, length, verdict: 'too_long' };
    if (hasNul) return { offset, length, verdict: 'not_json' };
    return { offset, length, verdict: classifyLine(buffer, lineStart, lineEnd, isStrict) };
  };

  return {
    end: () => start + filled,
    room(size) {
      if (filled === buffer.length && filled > MAX_LINE_BYTES) {
        longStart ??= start;
        start += filled;
        filled = 0;
      } else if (filled === buffer.length) {
        const grown = Buffer.allocUnsafe(Math.min(buffer.length * 2, MAX_LINE_BYTES + CHUNK_BYTES));
        buffer.copy(grown, 0, 0, filled);
        buffer = grown;
      }
      return buffer.subarray(filled, Math.min(buffer.length, size - start));
    },
    fill(count, strictFrom, visit) {
      const view = buffer.subarray(0, filled + count);
      let lineStart = 0;
      let nul = view.indexOf(0);
      for (let lineEnd = view.indexOf(NEWLINE, filled); lineEnd !== -1; lineEnd = view.indexOf(NEWLINE, lineStart)) {
        if (nul !== -1 && nul < lineStart) nul = view.indexOf(0, lineStart);
        visit(takeLine(lineStart, lineEnd, nul !== -1 && nul < lineEnd, start + lineStart >= strictFrom));
        lineStart = lineEnd + 1;
      }
      buffer.copyWithin(0, lineStart, view.length);
      start += lineStart;
      filled = view.length - lineStart;
    },
    rest() {
      if (filled === 0 && longStart === null) return null;
      return takeLine(0, filled, buffer.subarray(0, filled).includes(0), true);
    },
  };
}
