/** Changes of files through the whole server: a real turn of Codex in a real repository, undo, rights, a kill in the middle. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelEvent } from '../../src/demo/model-event.ts';
import { type Box, openBox } from '../../src/testing/box.ts';
import { treeOf } from '../../src/testing/changes-stand.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

const run = (cmd: string): ModelEvent => ({ call: 'exec_command', args: { cmd, login: false, yield_time_ms: 5_000 } });

let count = 0;
/** A repository, and a conversation in it whose turn ran the command. */
async function afterTurn(cmd: string) {
  count += 1;
  const word = `changes${count}word`;
  const root = join(box.dir, `repo-${count}`);
  mkdirSync(root);
  const env = { ...process.env, HOME: box.dir };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: root, env }).toString();
  git('init', '-q', '-b', 'main');
  writeFileSync(join(root, 'a.txt'), 'one\n');
  writeFileSync(join(root, 'b.txt'), 'b\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  const before = treeOf(root);
  box.model.push({ match: word, events: [run(cmd)] }, { match: word, events: [{ say: 'done' }] });
  const id = await box.create({ cwd: root, approval: 'never', sandbox: 'danger-full-access' });
  const sentAt = performance.now();
  await box.must('sendMessage', { conversation_id: id, text: `go ${word}` });
  const tookMs = performance.now() - sentAt;
  const ended = async () => (await box.must('listCheckpoints', { id })).checkpoints.at(-1)?.after ?? null;
  await expect.poll(ended, { timeout: 30_000 }).not.toBeNull();
  const [checkpoint] = (await box.must('listCheckpoints', { id })).checkpoints;
  if (checkpoint === undefined) throw new Error('no checkpoint');
  return { id, root, git, before, after: treeOf(root), checkpoint, call: { id, checkpoint_id: checkpoint.id }, tookMs };
}

/** The scripted model answers at once, so the agent waits for the snapshot as it would wait for a real model. */
const EDIT = "sleep 2; printf 'two\\n' > a.txt; rm b.txt; printf 'new\\n' > c.txt";

test('[CH30] the files that a command of Codex changed are listed, shown, undone, and the undo is undone', async () => {
  const { id, root, before, after, call, checkpoint } = await afterTurn(EDIT);
  const { files } = await box.must('readCheckpoint', call);
  expect(files.map(({ path, status, added, removed }) => `${path} ${status} ${added} ${removed}`)).toEqual([
    'a.txt changed 1 1',
    'b.txt deleted 0 1',
    'c.txt added 1 0',
  ]);
  const status = await box.must('changesStatus', { id });
  expect(status.repository).toMatchObject({ root, branch: 'main', counts: { staged: 0, unstaged: 2, untracked: 1 } });
  const ends = { from: `${checkpoint.id}:before`, to: `${checkpoint.id}:after` };
  expect((await box.must('changesDiff', { id, ...ends, path: 'a.txt' })).diff).toContain('-one\n+two\n');
  expect((await box.must('changesDiff', { id, from: 'head', to: 'work_tree' })).diff).toContain('+two');
  const undone = await box.must('undoCheckpoint', call);
  expect(treeOf(root)).toEqual(before);
  await box.must('undoCheckpoint', { id, checkpoint_id: undone.checkpoint?.id ?? '' });
  expect(treeOf(root)).toEqual(after);
  await box.must('restoreCheckpoint', call);
  expect(treeOf(root)).toEqual(before);
});

test('[CH31] the token reads, and neither undoes nor restores; a person at the page does', async () => {
  const { id, root, before, after, call } = await afterTurn(EDIT);
  expect((await box.call('readCheckpoint', call, 'token')).ok).toBe(true);
  expect((await box.call('changesStatus', { id }, 'token')).ok).toBe(true);
  for (const route of ['undoCheckpoint', 'restoreCheckpoint'] as const)
    expect(await box.callOnce(route, call, 'token')).toMatchObject({
      status: 428,
      body: { code: 'confirmation_required' },
    });
  expect(treeOf(root)).toEqual(after);
  expect((await box.callOnce('undoCheckpoint', call, 'session')).ok).toBe(true);
  expect(treeOf(root)).toEqual(before);
});

test('[CH12] a conflict is refused with the names of the files, and done with a choice for each', async () => {
  const { root, call } = await afterTurn(EDIT);
  writeFileSync(join(root, 'a.txt'), 'mine\n');
  const refused = await box.call('undoCheckpoint', call);
  expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', details: { files: ['a.txt'] } } });
  await box.must('undoCheckpoint', { ...call, choices: { 'a.txt': 'keep' } });
  expect(treeOf(root)).toEqual({ 'a.txt': 'file mine\n', 'b.txt': 'file b\n' });
});

test('[CH17] kill -9 in the middle of an undo: the next start finishes it', async () => {
  const killed = await openBox({ env: { SIGNALBOX_KILL_AT: 'after:undo_replaced:1' } });
  const kept = box;
  box = killed;
  try {
    const { root, before, call, id } = await afterTurn(EDIT);
    await killed.call('undoCheckpoint', call).catch(() => undefined);
    await killed.exited();
    expect(treeOf(root)).not.toEqual(before);
    await killed.restart();
    await expect.poll(() => treeOf(root), { timeout: 20_000 }).toEqual(before);
    const { checkpoints } = await killed.must('listCheckpoints', { id });
    expect(checkpoints.at(-1)).toMatchObject({
      kind: 'undo',
      of: call.checkpoint_id,
      after: { tree: checkpoints[0]?.before.tree },
    });
  } finally {
    box = kept;
    await killed.close();
  }
});

test('[CH5] outside a repository the status says why there are no checkpoints', async () => {
  const id = await box.create();
  expect(await box.must('changesStatus', { id })).toMatchObject({
    repository: null,
    reason: expect.stringContaining('ignored'),
    checkpoints: 0,
  });
});

test('[CH32] changes, undo and checkpoint work from a shell', async () => {
  const { id, root, before } = await afterTurn(EDIT);
  const cli = (...args: string[]) => {
    const env = { ...process.env, HOME: box.dir, SIGNALBOX_HOME: box.home, SIGNALBOX_TOKEN: '' };
    return execFileSync(process.execPath, [join(import.meta.dirname, '../../dist/bin/signalbox.js'), ...args], {
      cwd: root,
      env,
    }).toString();
  };
  expect(cli('changes', '--no-color')).toMatch(
    /main.*2 changed, 1 untracked[\s\S]*changed\s+a\.txt\s+\+1 −1[\s\S]*deleted\s+b\.txt/,
  );
  expect(cli('undo', id, '--dry-run')).toMatch(/restore\s+a\.txt\nrestore\s+b\.txt\ndelete\s+c\.txt/);
  expect(JSON.parse(cli('checkpoint', 'list', '--json')).checkpoints).toHaveLength(1);
  expect(treeOf(root)).not.toEqual(before);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two\n');
});
