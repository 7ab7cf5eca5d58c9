/** The hunks of one file's patch, as bytes: for staging, unstaging and discarding some of them. Pure. */

export interface PatchHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** The lines below the `@@` line, each with its sign and its line feed. */
  readonly body: Uint8Array;
}

export interface FilePatch {
  /** The lines that name the file: `diff --git`, `---`, `+++`. A change of mode is left out, so that it does not go along with a hunk. */
  readonly header: Uint8Array;
  readonly hunks: readonly PatchHunk[];
  /** A new, a deleted, a binary file, and one of another kind: it has no parts that can be taken alone. */
  readonly isWhole: boolean;
}

const LF = 0x0a;
const decoder = new TextDecoder('latin1');
const encoder = new TextEncoder();
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NAMES = /^(?:diff --git |--- |\+\+\+ )/;
const WHOLE = /^(?:new file|deleted file|Binary files|GIT binary patch|rename|copy)/;

/** Null where there is no change. The patch must name one file. */
export function parseFilePatch(patch: Uint8Array): FilePatch | null {
  const lines = linesOf(patch);
  const header: Uint8Array[] = [];
  const hunks: PatchHunk[] = [];
  let isWhole = false;
  let sections = 0;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? new Uint8Array();
    const text = decoder.decode(line);
    const found = HUNK.exec(text);
    at += 1;
    if (found === null) {
      if (text.startsWith('diff --git ')) sections += 1;
      if (NAMES.test(text)) header.push(line);
      isWhole ||= WHOLE.test(text);
      continue;
    }
    const [oldStart, oldLines, newStart, newLines] = [1, 2, 3, 4].map((n) => Number(found[n] ?? 1));
    const start = at;
    at = endOfHunk(lines, start, oldLines ?? 0, newLines ?? 0);
    hunks.push({
      oldStart: oldStart ?? 0,
      oldLines: oldLines ?? 0,
      newStart: newStart ?? 0,
      newLines: newLines ?? 0,
      body: concat(lines.slice(start, at)),
    });
  }
  if (sections === 0) return null;
  return { header: concat(header), hunks, isWhole: isWhole || sections > 1 };
}

function endOfHunk(lines: readonly Uint8Array[], from: number, oldLines: number, newLines: number): number {
  let [oldLeft, newLeft, at] = [oldLines, newLines, from];
  for (; at < lines.length; at += 1) {
    const sign = lines[at]?.[0];
    if (sign === NOTE) continue;
    if (oldLeft <= 0 && newLeft <= 0) break;
    if (sign !== PLUS) oldLeft -= 1;
    if (sign !== MINUS) newLeft -= 1;
  }
  return at;
}

const PLUS = 0x2b;
const MINUS = 0x2d;
const NOTE = 0x5c;

/**
 * A patch with some of the hunks. `staged` says which side the index has: the old one when hunks are staged, the new one when they are
 * unstaged (`git apply --reverse`). The line numbers of the other side are moved by the hunks that are left out, since git looks there first.
 */
export function patchOfHunks(
  { header, hunks }: FilePatch,
  chosen: ReadonlySet<number>,
  indexHas: 'old' | 'new',
): Uint8Array {
  const parts: Uint8Array[] = [header];
  let moved = 0;
  hunks.forEach((hunk, at) => {
    if (!chosen.has(at)) return;
    const { oldStart, oldLines, newStart, newLines, body } = hunk;
    // A side without lines is numbered by the line before it.
    const [oldFirst, newFirst] = [oldStart + (oldLines === 0 ? 1 : 0), newStart + (newLines === 0 ? 1 : 0)];
    const old = indexHas === 'old' ? oldFirst : newFirst - moved;
    const fresh = indexHas === 'new' ? newFirst : oldFirst + moved;
    const span = (first: number, count: number) => `${first - (count === 0 ? 1 : 0)},${count}`;
    parts.push(encoder.encode(`@@ -${span(old, oldLines)} +${span(fresh, newLines)} @@\n`), body);
    moved += newLines - oldLines;
  });
  return concat(parts);
}

/** The new content with the old lines in place of the chosen hunks; null if the content is not the one the hunks were made from. */
export function withoutHunks(
  content: Uint8Array,
  hunks: readonly PatchHunk[],
  chosen: ReadonlySet<number>,
): Uint8Array | null {
  const lines = linesOf(content);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [index, { newStart, newLines, body }] of hunks.entries()) {
    if (!chosen.has(index)) continue;
    const first = newLines === 0 ? newStart : newStart - 1;
    const { old, fresh } = sidesOf(body);
    const found = lines.slice(first, first + newLines);
    if (first < at || fresh.length !== newLines || !isEqual(concat(found), concat(fresh))) return null;
    parts.push(...lines.slice(at, first), ...old);
    at = first + newLines;
  }
  return concat([...parts, ...lines.slice(at)]);
}

function sidesOf(body: Uint8Array): { old: Uint8Array[]; fresh: Uint8Array[] } {
  const sides: { old: Uint8Array[]; fresh: Uint8Array[] } = { old: [], fresh: [] };
  const lines = linesOf(body);
  lines.forEach((line, at) => {
    const sign = line[0];
    if (sign === NOTE) return;
    // "\ No newline at end of file" below a line says that its line feed is not in the file.
    const text = lines[at + 1]?.[0] === NOTE ? line.subarray(1, -1) : line.subarray(1);
    if (sign !== PLUS) sides.old.push(text);
    if (sign !== MINUS) sides.fresh.push(text);
  });
  return sides;
}

/** Each line with its line feed; the last one may have none. */
function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LF, start);
    const end = found < 0 ? bytes.length : found + 1;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
