/** Removing a folder while another program changes it: nothing outside goes. */
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDir } from '../../testing/box.ts';
import { openWorktreesStand } from '../../testing/worktrees-stand.ts';
import { removeTree } from './remove-tree.ts';

async function plant() {
  const dir = await makeDir('remove');
  const [tree, victim] = [join(dir, 'tree'), join(dir, 'victim')];
  for (const path of ['tree/a/b', 'tree/empty', 'victim/deep']) mkdirSync(join(dir, path), { recursive: true });
  for (const path of ['tree/a/b/f', 'tree/a/f', 'victim/precious', 'victim/deep/precious'])
    writeFileSync(join(dir, path), 'x');
  symlinkSync(victim, join(tree, 'link'));
  return { dir, tree, victim };
}

test('[CH97] a link to a folder goes, and what it leads to stays', async () => {
  const { tree, victim } = await plant();
  await removeTree(tree);
  expect(existsSync(tree)).toBe(false);
  expect(readdirSync(victim).sort()).toEqual(['deep', 'precious']);
});

test.each(['', 'a', 'a/b'])(
  '[CH97] a link that takes the place of the folder %j in the moment of its removal removes nothing behind it',
  async (name) => {
    const { dir, tree, victim } = await plant();
    const target = join(tree, name);
    let swaps = 0;
    await removeTree(tree, (path) => {
      if (path !== target || swaps > 0) return;
      swaps += 1;
      renameSync(target, join(dir, 'away'));
      symlinkSync(victim, target);
    });
    expect(swaps).toBe(1);
    expect(readdirSync(victim).sort()).toEqual(['deep', 'precious']);
    expect(readdirSync(join(victim, 'deep'))).toEqual(['precious']);
    expect(existsSync(tree)).toBe(false);
  },
);

test('[CH97] a folder that is filled while it is emptied is emptied again', async () => {
  const { tree } = await plant();
  let times = 0;
  await removeTree(tree, (path) => {
    if (path === join(tree, 'a/b') && times++ < 3) writeFileSync(join(tree, 'a', `more-${times}`), 'x');
  });
  expect(existsSync(tree)).toBe(false);
});

test('[CH97] a work tree whose .git names the entry of another one is not removed', async () => {
  const stand = await openWorktreesStand();
  const [one, other] = [(await stand.add('one')).worktree, (await stand.add('other')).worktree];
  writeFileSync(join(one.path, '.git'), `gitdir: ${join(stand.root, '.git/worktrees/other')}\n`);
  expect(await stand.remove(one.path, { lose: true })).toMatchObject({ ok: false });
  expect(existsSync(join(stand.root, '.git/worktrees/other/HEAD'))).toBe(true);
  expect(existsSync(join(other.path, 'a.txt'))).toBe(true);
});

test('[CH97] nothing is left of a removed work tree, also for git', async () => {
  const stand = await openWorktreesStand();
  const { worktree } = await stand.add('codex/fix');
  expect(await stand.remove(worktree.path)).toMatchObject({ ok: true, value: { is_removed: true } });
  expect(stand.git(['worktree', 'list']).trim().split('\n')).toHaveLength(1);
  expect(readdirSync(join(stand.root, '.git/worktrees'))).toEqual([]);
});
