/** Names of new work trees and of their branches. */
import { expect, test } from 'vitest';
import { suggestBranch, worktreePath } from './worktree-place.ts';

test.each([
  ['Fix the parser!', 'codex/fix-the-parser'],
  ['  --Überall   "ä" ', 'codex/uberall-a'],
  ['日本語', 'codex/task'],
  ['', 'codex/task'],
  ['a'.repeat(500), `codex/${'a'.repeat(40)}`],
])('[CH81] the branch for %j', (words, branch) => expect(suggestBranch(words)).toBe(branch));

test.each([
  ['/w/app', 'codex/fix', '/w/app-worktrees/codex-fix'],
  ['/w/app/', '../../etc', '/w/app-worktrees/etc'],
  ['/w/app/.git', '-rf', '/w/app-worktrees/rf'],
  ['/w/app', '...', '/w/app-worktrees/work'],
])('[CH81] the work tree of %s on %s', (root, branch, path) => {
  expect(worktreePath(root, branch, () => false)).toBe(path);
});

test('[CH81] a folder that is there is never used', () => {
  const taken = new Set(['/w/app-worktrees/fix', '/w/app-worktrees/fix-2']);
  expect(worktreePath('/w/app', 'fix', (path) => taken.has(path))).toBe('/w/app-worktrees/fix-3');
});
