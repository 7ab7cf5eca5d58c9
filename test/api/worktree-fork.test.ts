/** A fork in a work tree of its own, with the files as they were after a real turn of Codex: exact, once, and nothing left of a refusal. */
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelEvent } from '../../src/demo/model-event.ts';
import { type Box, openBox } from '../../src/testing/box.ts';
import { treeOf } from '../../src/testing/changes-stand.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

const run = (cmd: string): ModelEvent => ({ call: 'exec_command', args: { cmd, login: false, yield_time_ms: 5_000 } });
const want = (branch: string, more: object = {}) => ({ request_id: randomUUID(), branch, ...more });

/** The scripted model answers at once, so the agent waits for the snapshot as it would wait for a real model. */
const EDIT =
  "sleep 2; printf 'two\\r\\n' > a.txt; rm b.txt; printf 'new\\n' > c.txt; chmod +x c.txt; ln -s /etc/hostname link; printf 'KEY=2\\n' > .env";

let count = 0;
/** A repository, and a conversation in it whose turn ran `EDIT`. */
async function afterTurn(stand: Box) {
  count += 1;
  const word = `fork${count}word`;
  const root = join(stand.dir, `fork-${count}`, 'app');
  mkdirSync(root, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: root }).toString();
  git('init', '-q', '-b', 'main');
  writeFileSync(join(root, 'a.txt'), 'one\n');
  writeFileSync(join(root, 'b.txt'), 'b\n');
  writeFileSync(join(root, '.gitignore'), '.env\n');
  writeFileSync(join(root, '.gitattributes'), '*.txt text eol=lf\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  git('switch', '-q', '-c', 'work');
  git('commit', '-q', '--allow-empty', '-m', 'second');
  stand.model.push({ match: word, events: [run(EDIT)] }, { match: word, events: [{ say: 'done' }] });
  const id = await stand.create({ cwd: root, approval: 'never', sandbox: 'danger-full-access' });
  await stand.must('sendMessage', { conversation_id: id, text: `go ${word}` });
  const ended = async () => (await stand.must('listCheckpoints', { id })).checkpoints.at(-1)?.after ?? null;
  await expect.poll(ended, { timeout: 30_000 }).not.toBeNull();
  const turnId = (await stand.must('listCheckpoints', { id })).checkpoints.at(-1)?.turn_id ?? '';
  const trees = () => git('worktree', 'list', '--porcelain').match(/^worktree /gm)?.length ?? 0;
  const branches = () => git('branch', '--format=%(refname:short)').trim().split('\n');
  return { id, root, git, turnId, trees, branches, folder: `${root}-worktrees`, head: git('rev-parse', 'HEAD').trim() };
}

const rowsOf = async (stand: Box) => (await stand.must('listConversations', {})).conversations.length;

test('[CH241] the fork has the files after the turn, byte for byte, on the commit of that moment', async () => {
  const { id, root, git, turnId, folder, head } = await afterTurn(box);
  const { '.env': secret, ...kept } = treeOf(root);
  expect(secret).toBeDefined();
  // What comes later is not in it.
  writeFileSync(join(root, 'a.txt'), 'later\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'later');
  const made = await box.must('forkConversation', { id, turn_id: turnId, worktree: want('codex/fork') });
  const path = join(folder, 'codex-fork');
  expect(made.worktree).toEqual({ path, branch: 'codex/fork', copied: [] });
  expect(made.conversation).toMatchObject({ cwd: path, forked_from: id });
  expect(treeOf(path)).toEqual(kept);
  const inTree = (...args: string[]) => execFileSync('git', args, { cwd: path }).toString();
  expect(inTree('rev-parse', 'HEAD').trim()).toBe(head);
  expect(inTree('status', '--porcelain')).toContain('?? c.txt');
  expect(inTree('diff', '--cached', '--name-only')).toBe('');
  // It works there: the next command of Codex runs in the new work tree.
  box.model.push(
    { match: 'whereword', events: [run('pwd > where.txt')] },
    { match: 'whereword', events: [{ say: 'ok' }] },
  );
  await box.must('sendMessage', { conversation_id: made.id, text: 'whereword' });
  const where = () => (existsSync(join(path, 'where.txt')) ? readFileSync(join(path, 'where.txt'), 'utf8') : '');
  await expect.poll(where, { timeout: 30_000 }).toBe(`${path}\n`);
});

test('[CH241] the command line forks the last turn', async () => {
  const { id, root, folder } = await afterTurn(box);
  const env = { ...process.env, SIGNALBOX_HOME: box.home, NO_COLOR: '1' };
  const made = await new Promise<string>((done, failed) => {
    const args = [MAIN, 'conversations', 'fork', id, '--worktree', 'codex/cli'];
    execFile(process.execPath, args, { env }, (error, stdout) =>
      error === null ? done(stdout.trim()) : failed(error),
    );
  });
  expect((await box.must('readConversation', { id: made })).row.cwd).toBe(join(folder, 'codex-cli'));
  const { '.env': _secret, ...kept } = treeOf(root);
  expect(treeOf(join(folder, 'codex-cli'))).toEqual(kept);
});

test('[CH242] a refusal leaves nothing: no branch, no work tree, no conversation', async () => {
  const { id, turnId, trees, branches } = await afterTurn(box);
  const rows = await rowsOf(box);
  const refusals = [
    [{ turn_id: 'no-such-turn', worktree: want('new') }, 'were not kept'],
    [{ turn_id: turnId, worktree: want('main') }, 'there is a branch main already'],
    [{ turn_id: turnId, worktree: want('a..b') }, 'is no name for a branch'],
    [{ turn_id: turnId, worktree: want('main', { existing: true }) }, 'a branch of its own'],
  ] as const;
  for (const [call, words] of refusals)
    expect(await box.call('forkConversation', { id, ...call })).toMatchObject({
      ok: false,
      body: { message: expect.stringContaining(words) },
    });
  const { secret } = await box.must('createToken', { label: 'writer', scopes: ['read', 'operate'] });
  const answer = await fetch(`${box.url()}/api/appserver/conversations/${id}/fork`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ turn_id: turnId, worktree: want('x') }),
  });
  expect(answer.status).toBe(403);
  // Refused after the work tree was made: a turn runs.
  box.model.push({ match: 'busyword', events: [run('sleep 600')] });
  await box.must('sendMessage', { conversation_id: id, text: 'busyword' });
  const state = async () => (await box.must('readConversation', { id })).row.state;
  await expect.poll(state, { timeout: 30_000 }).toBe('running');
  expect(await box.call('forkConversation', { id, turn_id: turnId, worktree: want('busy') })).toMatchObject({
    ok: false,
  });
  expect([trees(), branches(), await rowsOf(box)]).toEqual([1, ['main', 'work'], rows]);
  await box.must('interrupt', { conversation_id: id });
});

test('[CH243] attempts with one request id make one work tree and one conversation', async () => {
  const { id, turnId, trees } = await afterTurn(box);
  const worktree = want('codex/once');
  const call = () => box.must('forkConversation', { id, turn_id: turnId, worktree });
  const [first, second] = await Promise.all([call(), call()]);
  const third = await call();
  expect([second.id, third.id]).toEqual([first.id, first.id]);
  expect(trees()).toBe(2);
});

test.each(['worktree_added', 'worktree_files', 'worktree_made'])(
  '[CH243] the server is killed at %s: the next attempt makes it whole, and the doctor names it until then',
  async (point) => {
    const killed = await openBox({ env: { SIGNALBOX_KILL_AT: `after:${point}` } });
    try {
      const { id, root, turnId, trees, folder } = await afterTurn(killed);
      const { '.env': _secret, ...kept } = treeOf(root);
      const worktree = want('codex/again');
      await expect(killed.call('forkConversation', { id, turn_id: turnId, worktree })).rejects.toThrow();
      const env = { ...process.env, SIGNALBOX_HOME: killed.home };
      const doctor = await new Promise<string>((done) =>
        execFile(process.execPath, [MAIN, 'doctor', '--json'], { env }, (_error, stdout) => done(stdout)),
      );
      expect(doctor).toContain('codex-again');
      await killed.restart({});
      const made = await killed.must('forkConversation', { id, turn_id: turnId, worktree });
      expect(made.conversation.cwd).toBe(join(folder, 'codex-again'));
      expect(treeOf(join(folder, 'codex-again'))).toEqual(kept);
      expect(trees()).toBe(2);
      expect(await rowsOf(killed)).toBe(2);
    } finally {
      await killed.close();
    }
  },
);
