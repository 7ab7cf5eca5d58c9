/** Which linked work trees nobody uses any more, and the command that removes each. Pure: what git and the disk say is given. */
import type { WorktreeRecord } from '../../contract/worktrees.ts';
import { isInside } from '../conversations/settings.ts';
import { printableLine } from '../text/printable.ts';
import { joinWords } from '../text/shell-words.ts';
import { parseWorktrees } from './parse-worktrees.ts';

export interface OrphanFacts {
  /** By git directory: what `git worktree list --porcelain -z` printed. */
  readonly lists: ReadonlyMap<string, Uint8Array>;
  /** What Signalbox made. */
  readonly records: readonly WorktreeRecord[];
  /** Where conversations work, also those in the archive and in the trash; null if one of them could not be read. */
  readonly directories: readonly string[] | null;
  readonly isFolder: (path: string) => boolean;
  /** How the command line is called for this home: `signalbox`, and `--home` where it is not the usual one. */
  readonly signalbox: readonly string[];
}

export interface OrphanRow {
  readonly message: string;
  /** A line for a shell, or what to do where no line can be shown. */
  readonly fix: string;
}

/** More than an argument of a person's shell has. */
const MAX_SHOWN_CHARS = 4096;

export function rowsOfOrphans({ lists, records, directories, isFolder, signalbox }: OrphanFacts): OrphanRow[] {
  const rows: OrphanRow[] = [];
  for (const [commonDir, output] of lists) {
    const all = parseWorktrees(output);
    const [main] = all;
    if (main === undefined) continue;
    const git = ['git', '-C', main.path, 'worktree'];
    for (const { path, branch, is_main, is_locked, is_missing } of all) {
      if (is_main) continue;
      const unlock = is_locked ? [[...git, 'unlock', path]] : [];
      const name = `the work tree ${shown(path)}${branch === null ? '' : ` on ${shown(branch)}`}`;
      if (!isFolder(path)) {
        const fix = commandOf(...unlock, [...git, 'remove', path]);
        rows.push({ message: `${name}: its folder is gone, and git still lists it`, fix });
        continue;
      }
      if (is_missing) {
        rows.push({ message: `${name}: its folder is no checkout any more`, fix: commandOf([...git, 'prune']) });
        continue;
      }
      const record = records.find((one) => one.path === path && one.common_dir === commonDir);
      const isUsed = directories === null || directories.some((cwd) => isInside(path, cwd));
      if (record === undefined || isUsed) continue;
      const isHalf = record.state === 'making';
      const branchToo = record.is_new_branch ? ['--with-branch'] : [];
      // Of one that is half made every file counts as deleted; what is there is kept for 90 days all the same.
      const remove = [...signalbox, 'worktree', 'remove', path, ...branchToo, ...(isHalf ? ['--lose'] : [])];
      const why = isHalf
        ? 'the server ended while it was made, and no conversation works there'
        : 'Signalbox made it, and no conversation works there';
      rows.push({ message: `${name}: ${why}`, fix: commandOf(...unlock, remove) });
    }
  }
  return rows;
}

/** A line that does what it says when it is pasted; none is given for a name that a terminal would change or obey. */
function commandOf(...commands: readonly (readonly string[])[]): string {
  const isPlain = commands.flat().every((word) => shown(word) === word);
  return isPlain
    ? commands.map(joinWords).join(' && ')
    : 'its name has characters that a terminal hides: remove it with `git worktree remove` in its repository';
}

const shown = (text: string): string => printableLine(text, MAX_SHOWN_CHARS);
