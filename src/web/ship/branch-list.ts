/** The branches to switch to, the current one first; those of a remote only where no local one has their name; found by words. Pure. */
import type { Branch } from '../../contract/branches.ts';
import { localBranch } from '../../core/changes/parse-refs.ts';

export interface BranchRow {
  readonly ref: string;
  readonly name: string;
  readonly at: string;
  readonly isCurrent: boolean;
  /** A switch makes a local branch that follows it. */
  readonly isRemote: boolean;
}

export function listBranches(branches: readonly Branch[], query: string): readonly BranchRow[] {
  const isLocal = ({ ref }: Branch) => ref.startsWith('refs/heads/');
  const local = new Set(branches.filter(isLocal).map(({ name }) => name));
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return branches
    .filter((one) => isLocal(one) || !local.has(localBranch(one.ref) ?? one.name))
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .map((one) => ({
      ref: one.ref,
      name: one.name,
      at: one.at,
      isCurrent: one.is_current,
      isRemote: !isLocal(one),
    }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

/** Branches of a remote into which a request can go, by the names they have there. */
export function requestBases(
  branches: readonly Branch[],
  remote: string | null,
  first: readonly string[],
): readonly string[] {
  const start = `refs/remotes/${remote}/`;
  const names = branches.filter(({ ref }) => ref.startsWith(start)).map(({ ref }) => ref.slice(start.length));
  return [...new Set([...first, ...names])];
}
