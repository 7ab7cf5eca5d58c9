/** A file's hunks → the rows that are drawn, unified or side by side, each of one height. Cheap: nothing is compared here. */
import { en } from '../strings/en.ts';
import { showName } from './ansi.ts';
import type { DiffLine, FileDiff } from './parse-diff.ts';

export interface Cell {
  readonly line: DiffLine;
  /** The line it replaces or is replaced by, when as many lines were taken as were put. */
  readonly mate: DiffLine | null;
}

export type DiffRow =
  | { readonly kind: 'hunk'; readonly place: string; readonly header: string }
  | { readonly kind: 'line'; readonly cell: Cell }
  | { readonly kind: 'pair'; readonly left: Cell | null; readonly right: Cell | null };

/** `6–8`, or `6` for one line, or nothing where the file has no lines there. */
function spanOf({ first, last }: { readonly first: number; readonly last: number }): string {
  if (last < first) return '';
  return first === last ? `${first}` : `${first}–${last}`;
}

export function rowsOf(file: FileDiff, isSplit: boolean): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  for (const hunk of file.hunks) {
    const { header, lines } = hunk;
    rows.push({ kind: 'hunk', place: en.transcript.hunk(spanOf(hunk.old), spanOf(hunk.new)), header });
    for (let from = 0; from < lines.length; ) {
      const removed = runEnd(lines, from, 'del');
      const added = runEnd(lines, removed, 'add');
      if (added === from) {
        const line = lines[from];
        const cell = line === undefined ? null : { line, mate: null };
        if (cell !== null) rows.push(isSplit ? { kind: 'pair', left: cell, right: cell } : { kind: 'line', cell });
        from += 1;
        continue;
      }
      pushChange(rows, lines.slice(from, removed), lines.slice(removed, added), isSplit);
      from = added;
    }
  }
  return rows;
}

function runEnd(lines: readonly DiffLine[], from: number, type: DiffLine['type']): number {
  let to = from;
  while (lines[to]?.type === type) to += 1;
  return to;
}

function pushChange(rows: DiffRow[], removed: readonly DiffLine[], added: readonly DiffLine[], isSplit: boolean): void {
  const isEven = removed.length === added.length;
  const left = removed.map((line, at): Cell => ({ line, mate: isEven ? (added[at] ?? null) : null }));
  const right = added.map((line, at): Cell => ({ line, mate: isEven ? (removed[at] ?? null) : null }));
  if (!isSplit) {
    for (const cell of [...left, ...right]) rows.push({ kind: 'line', cell });
    return;
  }
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    rows.push({ kind: 'pair', left: left[at] ?? null, right: right[at] ?? null });
  }
}

/** For the width of the whole when only a part of it is mounted. */
export function longestLine(file: FileDiff): number {
  let longest = 0;
  for (const { lines } of file.hunks) for (const { text } of lines) longest = Math.max(longest, text.length);
  return longest;
}

/** What goes into the composer when somebody comments on a line. */
export function quoteLine(path: string, { newLine, oldLine, text }: DiffLine): string {
  return `> ${showName(path)}:${newLine ?? oldLine ?? ''}\n> \`${text.trim()}\`\n\n`;
}
