/** Reads `git worktree list --porcelain -z`. Pure. */
import type { Worktree } from '../../contract/worktrees.ts';
import { splitNul } from './parse-git.ts';

export type ListedWorktree = Omit<Worktree, 'conversations'> & { readonly isBare: boolean };

const NO_COMMIT = /^0+$/;

/** The main one first, as git lists them. */
export function parseWorktrees(output: Uint8Array): ListedWorktree[] {
  const decoder = new TextDecoder();
  const listed: ListedWorktree[] = [];
  for (const field of splitNul(output)) {
    const line = decoder.decode(field);
    const space = line.indexOf(' ');
    const name = space < 0 ? line : line.slice(0, space);
    const value = space < 0 ? '' : line.slice(space + 1);
    if (name === 'worktree') {
      listed.push({
        path: value,
        branch: null,
        head: null,
        is_main: listed.length === 0,
        is_locked: false,
        is_missing: false,
        isBare: false,
      });
      continue;
    }
    const last = listed.at(-1);
    if (last !== undefined) listed[listed.length - 1] = { ...last, ...factOf(name, value) };
  }
  return listed;
}

function factOf(name: string, value: string): Partial<ListedWorktree> {
  switch (name) {
    case 'HEAD':
      return { head: NO_COMMIT.test(value) ? null : value };
    case 'branch':
      return { branch: value.replace(/^refs\/heads\//, '') };
    case 'locked':
      return { is_locked: true };
    case 'prunable':
      return { is_missing: true };
    case 'bare':
      return { isBare: true };
    default:
      return {};
  }
}
