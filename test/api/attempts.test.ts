/** Several conversations that belong together as attempts at one task: kept, listed, and forgotten by a fork. */
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

test('[CH245] attempts are kept in the sidecar and listed with state, answer and changes, also after a restart', async () => {
  const root = join(box.dir, 'attempts', 'app');
  mkdirSync(root, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: root }).toString();
  git('init', '-q', '-b', 'main');
  writeFileSync(join(root, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  const group = randomUUID();
  const begin = (number: number) =>
    box.must('createConversation', {
      cwd: root,
      worktree: { request_id: randomUUID(), branch: `codex/try-${number}`, attempt: { group, number } },
    });
  const second = await begin(2);
  const first = await begin(1);
  const alone = await box.must('createConversation', {
    cwd: root,
    worktree: { request_id: randomUUID(), branch: 'codex/alone' },
  });
  expect(first.conversation.attempt).toEqual({ group, number: 1 });
  box.model.push({ match: 'tryword', events: [{ say: 'The answer' }] });
  await box.must('sendMessage', { conversation_id: first.id, text: 'tryword' });
  const list = async (id: string) => (await box.must('listAttempts', { id })).attempts;
  await expect
    .poll(async () => (await list(second.id))[0], { timeout: 30_000 })
    .toMatchObject({ state: 'done', answer: 'The answer' });
  writeFileSync(join(second.conversation.cwd, 'a.txt'), 'two\n');
  writeFileSync(join(second.conversation.cwd, 'new.txt'), 'new\n');
  await box.restart();
  expect(await list(first.id)).toMatchObject([
    { id: first.id, number: 1, branch: 'codex/try-1', state: 'done', files: { count: 0 } },
    {
      id: second.id,
      number: 2,
      branch: 'codex/try-2',
      state: 'draft',
      answer: null,
      files: { count: 2, added: 2, removed: 1 },
    },
  ]);
  expect(await list(alone.id)).toEqual([]);
  const forked = await box.must('forkConversation', { id: first.id });
  expect(forked.conversation.attempt).toBeNull();
  const env = { ...process.env, SIGNALBOX_HOME: box.home, NO_COLOR: '1' };
  const printed = await new Promise<string>((done, failed) => {
    const args = [MAIN, 'worktree', 'attempts', first.id];
    execFile(process.execPath, args, { env }, (error, stdout) => (error === null ? done(stdout) : failed(error)));
  });
  expect(printed).toContain(`codex/try-2  not begun  2 files +2 −1  ${second.id}`);
  expect(await box.call('listAttempts', { id: `conv_${'f'.repeat(32)}` })).toMatchObject({ ok: false });
});
