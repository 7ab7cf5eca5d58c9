/** Words of diffs, of the changes of a turn and of the Changes panel. Loaded with the first of them. */
import { plural } from './plural.ts';

export const EN_CHANGES = {
  changed: (count: number) => `Changed ${plural(count, 'file', 'files')}`,
  expandAll: 'Expand all',
  foldAll: 'Fold all',
  open: 'Open',
  openFile: (path: string) => `Open ${path}`,
  loading: 'Loading the changes…',
  binary: 'Binary file: there are no lines to show.',
  mode: (before: string, after: string) => `Only the mode changed: ${before} → ${after}.`,
  noLines: 'No line changed.',
  alsoBy: (names: string) => `also changed by ${names}`,
  late: 'state before the turn not certain',
  lateHint: 'The file changed before the checkpoint had read it. An undo asks you about it.',
  leftOut: {
    title: 'Not in the checkpoint, so an undo leaves them as they are:',
    too_large: 'too large',
    unreadable: 'not readable',
    repository: 'a repository of its own',
  },
  undo: 'Undo these changes',
  undone: 'undone',
  undoUndo: 'Undo the undo',
  restored: 'all files were restored to this turn',
  undoRestore: 'Undo the restore',
  busy: 'A turn is running. Stop it first.',
  conflict: {
    title: (count: number) =>
      `${plural(count, 'file was', 'files were')} changed after this turn. Nothing is written until you choose.`,
    keep: 'Keep it as it is now',
    older: 'Take the older content',
    both: 'Keep it, and write the older content beside it',
    forAll: 'For all:',
    keepAll: 'Keep all',
    olderAll: 'Take all older',
    go: 'Undo with these choices',
    cancel: 'Cancel',
  },
  restore: {
    after: 'Restore everything to here',
    before: 'Restore everything to before this turn',
    ask: (count: number, side: 'before' | 'after') =>
      `${plural(count, 'file gets', 'files get')} the content from ${side} this turn. Newer changes in ${count === 1 ? 'it' : 'them'} are replaced. You can undo this.`,
    nothing: 'All files already have this content.',
    more: (count: number) => `and ${count} more`,
    go: 'Restore',
    cancel: 'Cancel',
    close: 'Close',
  },
  skipped: (count: number) =>
    `${plural(count, 'file', 'files')} stayed as ${count === 1 ? 'it was' : 'they were'}: changed in the same moment, or something was in the way.`,
  notKept: (count: number) =>
    `${plural(count, 'file', 'files')} stayed as ${count === 1 ? 'it was' : 'they were'}: not in the checkpoint.`,
  none: (reason: string) => `Changes here cannot be undone: ${reason}. Everything else works.`,
} as const;
