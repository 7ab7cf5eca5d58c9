/** Stage, unstage and discard through the whole server: who may, what an undo and a kill do, and the live event of the watch. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { treeOf } from '../../src/testing/changes-stand.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

let count = 0;
/** A repository with one changed and one new file, and a conversation in it. */
async function openRepository(at: Box = box) {
  count += 1;
  const root = join(at.dir, `index-${count}`);
  mkdirSync(root);
  const env = { ...process.env, HOME: at.dir };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: root, env }).toString();
  git('init', '-q', '-b', 'main');
  writeFileSync(join(root, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  writeFileSync(join(root, 'a.txt'), 'two\n');
  writeFileSync(join(root, 'new.txt'), 'new\n');
  return { root, git, id: await at.create({ cwd: root }), tree: () => treeOf(root) };
}

test('[CH100] [CH106] a session stages, unstages and discards, and undoes the discard', async () => {
  const { id, git, tree } = await openRepository();
  const { hunks } = await box.must('changesDiff', { id, from: 'index', to: 'work_tree', path: 'a.txt' });
  expect(hunks).toHaveLength(1);
  await box.must('stageChanges', { id, paths: ['a.txt'], hunks });
  expect((await box.must('changesStatus', { id })).repository?.counts).toMatchObject({
    staged: 1,
    unstaged: 0,
    untracked: 1,
  });
  expect((await box.must('changesDiff', { id, from: 'head', to: 'index' })).diff).toContain('-one\n+two\n');
  await box.must('unstageChanges', { id, paths: ['a.txt'] });
  expect(git('status', '--porcelain')).toBe(' M a.txt\n?? new.txt\n');
  const before = tree();
  const done = await box.must('discardChanges', { id, paths: ['a.txt', 'new.txt'] });
  expect(tree()).toEqual({ 'a.txt': 'file one\n' });
  expect((await box.must('listCheckpoints', { id })).checkpoints.at(-1)).toMatchObject({
    kind: 'discard',
    turn_id: null,
  });
  await box.must('undoCheckpoint', { id, checkpoint_id: done.checkpoint?.id ?? '' });
  expect(tree()).toEqual(before);
  expect(await box.call('stageChanges', { id, paths: ['a.txt', 'new.txt'], hunks })).toMatchObject({ status: 400 });
});

test('[CH108] a token neither stages nor discards without a person', async () => {
  const { id, git, tree } = await openRepository();
  const before = tree();
  for (const route of ['stageChanges', 'unstageChanges', 'discardChanges'] as const)
    expect(await box.callOnce(route, { id, paths: ['a.txt'] }, 'token')).toMatchObject({
      status: 428,
      body: { code: 'confirmation_required' },
    });
  expect(git('status', '--porcelain')).toBe(' M a.txt\n?? new.txt\n');
  expect(tree()).toEqual(before);
});

test('[CH106] kill -9 in the middle of a discard: the next start finishes it, and what was discarded is kept', async () => {
  const killed = await openBox({ env: { SIGNALBOX_KILL_AT: 'after:undo_replaced:1' } });
  try {
    const { id, git, tree } = await openRepository(killed);
    await killed.call('discardChanges', { id, paths: ['a.txt', 'new.txt'] }).catch(() => undefined);
    await killed.exited();
    await killed.restart();
    await expect.poll(tree, { timeout: 20_000 }).toEqual({ 'a.txt': 'file one\n' });
    const [checkpoint] = (await killed.must('listCheckpoints', { id })).checkpoints;
    expect(checkpoint).toMatchObject({ kind: 'discard', after: { late: [] } });
    for (const [path, text] of [
      ['a.txt', 'two\n'],
      ['new.txt', 'new\n'],
    ])
      expect(git('show', `${checkpoint?.before.commit}:${path}`)).toBe(text);
  } finally {
    await killed.close();
  }
});

test('[CH112] outside a repository nothing is watched; in one the coverage is told', async () => {
  const { id, root } = await openRepository();
  expect(await box.must('watchChanges', { id })).toEqual({ coverage: 'all' });
  expect(await box.must('watchChanges', { id: await box.create() })).toEqual({ coverage: 'none' });
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two\n');
});
