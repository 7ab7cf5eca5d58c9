/** The files of a status in the groups that a panel shows, and which turns it can compare. Pure. */
import type { Checkpoint, RepositoryStatus, StatusFile } from '../../contract/changes.ts';

export type GroupName = 'conflicted' | 'staged' | 'unstaged' | 'untracked';

export interface GroupFile {
  readonly path: string;
  readonly oldPath: string | null;
  /** Git's letter for this side. */
  readonly letter: string;
}

export interface FileGroup {
  readonly name: GroupName;
  /** Of all files, also of those that the status does not list. */
  readonly count: number;
  readonly files: readonly GroupFile[];
}

const UNMERGED = new Set(['DD', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU']);

/** Groups without files are left out. A file that is staged and changed again is in two groups. */
export function groupFiles({ files, counts }: Pick<RepositoryStatus, 'files' | 'counts'>): readonly FileGroup[] {
  const groups: Record<GroupName, GroupFile[]> = { conflicted: [], staged: [], unstaged: [], untracked: [] };
  for (const file of files) {
    const { path, old_path, staged, unstaged } = file;
    if (isConflict(file)) groups.conflicted.push({ path, oldPath: null, letter: 'U' });
    else if (unstaged === '?') groups.untracked.push({ path, oldPath: null, letter: '?' });
    else {
      const isRename = staged === 'R' || staged === 'C';
      if (staged !== '.') groups.staged.push({ path, oldPath: isRename ? old_path : null, letter: staged });
      if (unstaged !== '.') groups.unstaged.push({ path, oldPath: null, letter: unstaged });
    }
  }
  const names = ['conflicted', 'staged', 'unstaged', 'untracked'] as const;
  return names
    .map((name) => ({ name, count: Math.max(counts[name], groups[name].length), files: groups[name] }))
    .filter(({ count }) => count > 0);
}

const isConflict = ({ staged, unstaged }: StatusFile): boolean => UNMERGED.has(`${staged}${unstaged}`);

/** Paths that an act on a file means: a rename that is unstaged is two files of the index. */
export const pathsOf = ({ path, oldPath }: GroupFile): readonly string[] =>
  oldPath === null ? [path] : [path, oldPath];

/** Finished turns that changed something, the newest first. */
export function comparableTurns(checkpoints: readonly Checkpoint[], max: number): readonly Checkpoint[] {
  return checkpoints
    .filter(({ kind, before, after }) => kind === 'turn' && after !== null && after.tree !== before.tree)
    .slice(-max)
    .reverse();
}

/** A discard that nothing came after, so that a button can undo it. */
export function lastDiscard(checkpoints: readonly Checkpoint[]): Checkpoint | null {
  const last = checkpoints.at(-1);
  return last?.kind === 'discard' && last.after !== null ? last : null;
}
