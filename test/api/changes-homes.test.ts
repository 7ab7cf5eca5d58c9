/** A work tree that contains the server's home and Codex's home, as a home directory under git does: no checkpoint has their files. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
let id = '';
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
    cwd: box.dir,
    env: { ...process.env, HOME: box.dir },
    maxBuffer: 64 * 1024 * 1024,
  }).toString();

beforeAll(async () => {
  box = await openBox();
  writeFileSync(join(box.dir, 'notes.txt'), 'one\n');
  writeFileSync(join(box.codexHome, 'auth.json'), '{"key":"kept-by-the-person"}\n');
  git('init', '-q', '-b', 'main');
  // A person who committed a file of Codex's home: its later content is a secret all the same.
  git('add', 'notes.txt', 'codex/auth.json');
  git('commit', '-q', '-m', 'first');
  writeFileSync(join(box.codexHome, 'auth.json'), '{"key":"secret-of-codex"}\n');
  writeFileSync(join(box.dir, 'notes.txt'), 'two\n');
  id = await box.create({ cwd: box.dir });
});
afterAll(() => box.close());

const isSecret = () => new RegExp(`${box.token()}|secret-of-codex|"secret"|"hash"`);

test('[CH34] no difference and no status of the work tree has a file of the homes', async () => {
  const wanted = { id, from: 'head', to: 'work_tree' };
  expect(readFileSync(join(box.home, 'run', 'server.json'), 'utf8')).toMatch(isSecret());
  for (const path of [undefined, 'home/run/server.json', 'home/run', 'codex/auth.json', 'codex', 'home']) {
    const { diff } = await box.must('changesDiff', { ...wanted, ...(path !== undefined && { path }) }, 'token');
    expect([path, isSecret().test(diff)]).toEqual([path, false]);
  }
  expect((await box.must('changesDiff', { ...wanted, path: 'notes.txt' })).diff).toMatch('-one\n+two');
  expect((await box.must('changesDiff', wanted)).diff).toMatch('-one\n+two');
  const { repository } = await box.must('changesStatus', { id });
  const paths = repository?.files.map(({ path }) => path) ?? [];
  expect(paths).toContain('notes.txt');
  expect(paths.filter((path) => /^(home|codex)\//.test(path))).toEqual([]);
});

test('[CH34] a checkpoint keeps no file of the homes, and an undo changes none', async () => {
  const watcher = await box.watch(id);
  box.model.push({ match: 'keptword', events: [{ say: 'done' }] });
  await box.must('sendMessage', { conversation_id: id, text: 'keptword' });
  await watcher.turnEnd();
  const listed = async () => (await box.must('listCheckpoints', { id })).checkpoints;
  await expect.poll(async () => (await listed()).at(-1)?.after ?? null, { timeout: 30_000 }).not.toBeNull();
  const [checkpoint] = await listed();
  if (checkpoint === undefined) throw new Error('no checkpoint');
  for (const { commit } of [checkpoint.before, checkpoint.after ?? checkpoint.before]) {
    const names = git('ls-tree', '-r', '--name-only', commit).split('\n');
    expect(names).toContain('notes.txt');
    expect(names.filter((name) => /^(home|codex)\//.test(name))).toEqual([]);
  }
  const before = readFileSync(join(box.codexHome, 'auth.json'), 'utf8');
  writeFileSync(join(box.dir, 'notes.txt'), 'three\n');
  await box.must('restoreCheckpoint', { id, checkpoint_id: checkpoint.id });
  expect(readFileSync(join(box.dir, 'notes.txt'), 'utf8')).toBe('two\n');
  expect(readFileSync(join(box.codexHome, 'auth.json'), 'utf8')).toBe(before);
});
