/** The part of a log that is shown: pages joined by their offsets, whatever comes twice or leaves a gap, and never more than a limit. */
import type { LogPage } from '../../contract/shellspec.ts';
import { byteLength } from '../../core/text/bytes.ts';

export interface LogBuffer {
  readonly text: string;
  /** Of the first byte shown; null while nothing has come. */
  readonly from: number | null;
  readonly next: number;
  /** The oldest byte the server still has. */
  readonly first: number;
}

export const NO_LOG: LogBuffer = { text: '', from: null, next: 0, first: 0 };

/** About five thousand lines: more is searched, not scrolled. */
const MAX_CHARS = 512 * 1024;

export function appendPage(buffer: LogBuffer, page: LogPage, maxChars = MAX_CHARS): LogBuffer {
  const fresh = { text: page.text, from: page.offset, next: page.next_offset, first: page.first_offset };
  if (buffer.from === null || page.offset > buffer.next) return fresh;
  if (page.next_offset <= buffer.next) return { ...buffer, first: page.first_offset };
  // Told twice after a cut: only what is new is taken.
  const known = buffer.next - page.offset;
  const added = known === 0 ? page.text : new TextDecoder().decode(new TextEncoder().encode(page.text).subarray(known));
  return trim({ ...buffer, text: buffer.text + added, next: page.next_offset, first: page.first_offset }, maxChars);
}

/** An earlier page is put before; it must end where the shown text begins. */
export function prependPage(buffer: LogBuffer, page: LogPage): LogBuffer {
  if (buffer.from === null || page.next_offset !== buffer.from) return buffer;
  return { ...buffer, text: page.text + buffer.text, from: page.offset, first: page.first_offset };
}

/** Cut at a line, and at a quarter at once: not with every line that comes. */
function trim(buffer: LogBuffer, maxChars: number): LogBuffer {
  if (buffer.text.length <= maxChars || buffer.from === null) return buffer;
  const at = buffer.text.indexOf('\n', buffer.text.length - Math.floor(maxChars * 0.75)) + 1;
  const dropped = buffer.text.slice(0, at);
  return { ...buffer, text: buffer.text.slice(at), from: buffer.from + byteLength(dropped) };
}
