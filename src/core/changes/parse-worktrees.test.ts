/** What git says about the work trees of a repository. */
import { expect, test } from 'vitest';
import { parseWorktrees } from './parse-worktrees.ts';

const bytes = (...fields: string[]) => new TextEncoder().encode(fields.map((field) => `${field}\0`).join(''));

test('[CH80] the main work tree is the first; branch, commit, lock and a missing folder are read', () => {
  const oid = 'a'.repeat(40);
  const listed = parseWorktrees(
    bytes(
      ...['worktree /w/app', `HEAD ${oid}`, 'branch refs/heads/main', ''],
      ...['worktree /w/with space\nand line', `HEAD ${oid}`, 'detached', 'locked on a stick', ''],
      ...[
        'worktree /w/gone',
        `HEAD ${'0'.repeat(40)}`,
        'branch refs/heads/a/b',
        'prunable gitdir file points to nowhere',
        '',
      ],
    ),
  );
  expect(listed).toEqual([
    { path: '/w/app', branch: 'main', head: oid, is_main: true, is_locked: false, is_missing: false, isBare: false },
    {
      path: '/w/with space\nand line',
      branch: null,
      head: oid,
      is_main: false,
      is_locked: true,
      is_missing: false,
      isBare: false,
    },
    { path: '/w/gone', branch: 'a/b', head: null, is_main: false, is_locked: false, is_missing: true, isBare: false },
  ]);
});

test('[CH80] a bare repository is told apart, and no output is no work tree', () => {
  expect(parseWorktrees(bytes('worktree /w/app.git', 'bare', ''))[0]).toMatchObject({ is_main: true, isBare: true });
  expect(parseWorktrees(bytes())).toEqual([]);
});
