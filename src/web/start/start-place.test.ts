/** Where a new conversation works, and what is sent of it. */
import { expect, test } from 'vitest';
import { branchOf, HERE, otherWorktrees, placeCall, type Repository } from './start-place.ts';

const tree = (path: string, branch: string, more: object = {}) => ({
  path,
  branch,
  head: 'a'.repeat(40),
  is_main: false,
  is_locked: false,
  is_missing: false,
  conversations: [],
  ...more,
});
const REPOSITORY: Repository = {
  worktrees: [
    tree('/w/app', 'main', { is_main: true }),
    tree('/w/app-worktrees/x', 'x'),
    tree('/gone', 'gone', { is_missing: true }),
  ],
  branches: ['main', 'x', 'old', 'codex/fix-it'].map((name) => ({ name, at: 'a'.repeat(40) })),
  root: '/w/app',
  base: 'main',
  included: { files: [], count: 0, warnings: [] },
  setup: null,
  reason: null,
};
const NEW = { kind: 'new', branch: null, from: null } as const;

test('[CH173] the branch is named after the message, with a number where the name is taken', () => {
  expect(branchOf(NEW, 'Mend the parser', REPOSITORY)).toBe('codex/mend-the-parser');
  expect(branchOf(NEW, 'Fix it!', REPOSITORY)).toBe('codex/fix-it-2');
  expect(branchOf({ ...NEW, branch: ' mine ' }, 'Fix it!', REPOSITORY)).toBe('mine');
});

test('[CH173] what is sent is what the form shows', () => {
  expect(placeCall(HERE, REPOSITORY, 'm')).toEqual({});
  expect(placeCall(NEW, null, 'm')).toEqual({});
  expect(placeCall(NEW, REPOSITORY, 'm')).toEqual({ worktree: { branch: 'codex/m', existing: false } });
  expect(placeCall({ ...NEW, from: 'old' }, REPOSITORY, 'm')).toEqual({
    worktree: { branch: 'codex/m', existing: false, from: 'old' },
  });
  // A branch that is there and free is checked out; one that another work tree has is refused by the server.
  expect(placeCall({ ...NEW, branch: 'old', from: 'x' }, REPOSITORY, 'm')).toEqual({
    worktree: { branch: 'old', existing: true },
  });
  expect(placeCall(NEW, { ...REPOSITORY, setup: 'npm ci' }, 'm').worktree).toMatchObject({ setup: 'npm ci' });
  expect(placeCall({ ...NEW, branch: 'x' }, REPOSITORY, 'm')).toEqual({ worktree: { branch: 'x', existing: false } });
  expect(placeCall({ kind: 'existing', path: '/w/app-worktrees/x' }, REPOSITORY, 'm')).toEqual({
    cwd: '/w/app-worktrees/x',
  });
});

test('[CH173] the other work trees are offered, without those whose folder is gone', () => {
  expect(otherWorktrees(REPOSITORY).map(({ path }) => path)).toEqual(['/w/app-worktrees/x']);
  expect(otherWorktrees({ ...REPOSITORY, root: '/w/app-worktrees/x' }).map(({ path }) => path)).toEqual(['/w/app']);
});
