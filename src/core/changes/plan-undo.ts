/** What an undo or a restore does to each file, from three states: before the change, after it, and now. Pure; nothing is written here. */
import type { FileSide, UndoChoice, UndoStep } from '../../contract/changes.ts';
import { isSafePath, pathBytes, pathText } from './path-text.ts';

/** A file that a turn changed. */
export interface UndoneFile {
  readonly path: string;
  readonly before: FileSide | null;
  readonly after: FileSide | null;
  /** The state before is not certain. */
  readonly isLate: boolean;
}

export interface UndoInput {
  readonly files: readonly UndoneFile[];
  /** The content of a path now; null: there is none. */
  readonly now: (path: string) => FileSide | null;
  /** Paths that one of the snapshots does not have, although a file is there. */
  readonly notKept: ReadonlySet<string>;
  readonly choices: Readonly<Record<string, UndoChoice>>;
  /** Distinguishes the names of files that are written beside others. */
  readonly mark: string;
}

const SUBMODULE = '160000';

export function planUndo({ files, now, notKept, choices, mark }: UndoInput): UndoStep[] {
  return files.map(({ path, before, after, isLate }): UndoStep => {
    const from = now(path);
    const step = { path, from, to: before, beside: null };
    // A submodule is a repository of its own: its checkout is never changed from outside.
    const isSubmodule = [before, after, from].some((side) => side?.mode === SUBMODULE);
    if (notKept.has(path) || isSubmodule || !isSafePath(path)) return { ...step, action: 'not_kept' };
    if (isSame(from, before)) return { ...step, action: 'already' };
    if (isSame(from, after) && !isLate) return { ...step, action: 'restore' };
    switch (choices[path]) {
      case undefined:
        return { ...step, action: 'conflict' };
      case 'keep':
        return { ...step, action: 'keep' };
      case 'older':
        return { ...step, action: 'restore' };
      case 'both':
        // Without an older content there is nothing to write beside the file.
        if (before === null) return { ...step, action: 'keep' };
        if (from === null) return { ...step, action: 'restore' };
        return { ...step, action: 'both', beside: besideName(path, mark) };
      default:
        return choices[path] satisfies never;
    }
  });
}

/** A restore of everything replaces whatever differs; the checkpoint before it has what it replaces. */
export function planRestore(
  files: readonly Pick<UndoneFile, 'path' | 'before' | 'after'>[],
  notKept: ReadonlySet<string>,
): UndoStep[] {
  return files.map(({ path, before, after }) => {
    const isSubmodule = before?.mode === SUBMODULE || after?.mode === SUBMODULE;
    const isKept = !notKept.has(path) && !isSubmodule && isSafePath(path);
    return { path, action: isKept ? 'restore' : 'not_kept', from: before, to: after, beside: null };
  });
}

export function isSame(one: FileSide | null, other: FileSide | null): boolean {
  if (one === null || other === null) return one === other;
  return one.mode === other.mode && one.oid === other.oid;
}

/** The name ends in the mark, before the extension, so that editors still know the kind of the file. */
function besideName(path: string, mark: string): string {
  const slash = path.lastIndexOf('/') + 1;
  const dot = path.lastIndexOf('.');
  const end = path.startsWith('"') ? path.length - 1 : path.length;
  const at = dot > slash + (slash === 0 && path.startsWith('"') ? 1 : 0) ? dot : end;
  const text = `${path.slice(0, at)}.before-${mark}${path.slice(at)}`;
  return pathText(pathBytes(text) ?? new Uint8Array());
}

/**
 * The writes of a plan in an order in which each is possible: first what is removed, deepest first, so that a folder can become a file;
 * then what is written, so that a file can have become a folder.
 */
export function writesOf(steps: readonly UndoStep[]): { path: string; from: FileSide | null; to: FileSide | null }[] {
  const writes = steps.flatMap(({ action, path, from, to, beside }) => {
    if (action === 'restore') return [{ path, from, to }];
    return action === 'both' && beside !== null ? [{ path: beside, from: null, to }] : [];
  });
  const removed = writes.filter(({ to }) => to === null).sort((a, b) => compare(b.path, a.path));
  const written = writes.filter(({ to }) => to !== null).sort((a, b) => compare(a.path, b.path));
  return [...removed, ...written];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What is left to do for one write of a journal that was interrupted. */
export function recoverWrite(
  { from, to }: { readonly from: FileSide | null; readonly to: FileSide | null },
  now: FileSide | null,
): 'done' | 'write' | 'leave' {
  if (isSame(now, to)) return 'done';
  // Somebody changed the file after the interruption: that change is newer than the undo.
  return isSame(now, from) ? 'write' : 'leave';
}
