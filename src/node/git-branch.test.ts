/** The branch is read from files that anybody may have put there. */
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDir } from '../testing/box.ts';
import { gitBranchOf } from './git-branch.ts';

let home: string;
beforeAll(async () => {
  home = await makeDir('git-branch-');
});
afterAll(() => rm(home, { recursive: true, force: true }));

test('[CT4] the branch is git’s own word for it', async () => {
  await mkdir(join(home, 'repo/.git/worktrees/w'), { recursive: true });
  await mkdir(join(home, 'repo/deep/er'), { recursive: true });
  await mkdir(join(home, 'tree'), { recursive: true });
  await writeFile(join(home, 'repo/.git/HEAD'), 'ref: refs/heads/feature/x\n');
  await writeFile(join(home, 'repo/.git/worktrees/w/HEAD'), `${'a'.repeat(40)}\n`);
  await writeFile(join(home, 'tree/.git'), `gitdir: ${join(home, 'repo/.git/worktrees/w')}\n`);
  expect(await gitBranchOf(join(home, 'repo/deep/er'))).toBe('feature/x');
  expect(await gitBranchOf(join(home, 'tree'))).toBe('aaaaaaaaaaaa');
  expect(await gitBranchOf('/')).toBeNull();
});

test.each([
  ['a pipe nobody writes to', (head: string) => void execFileSync('mkfifo', [head])],
  ['a device that never ends', (head: string) => symlink('/dev/zero', head)],
  ['a directory', (head: string) => mkdir(head)],
  ['a link to itself', (head: string) => symlink(head, head)],
  ['a file without a line', (head: string) => writeFile(head, '\0'.repeat(1_000_000))],
])('[CT4] a HEAD that is %s holds up no message', async (what, make) => {
  const dir = join(home, what.replaceAll(' ', '-'));
  await mkdir(join(dir, '.git'), { recursive: true });
  await make(join(dir, '.git/HEAD'));
  const branch = await gitBranchOf(dir);
  // Of no repository, or of the one that the clone of this project is: never what the file has.
  expect(branch ?? '').not.toMatch(/\0/);
});
