/** A conversation that begins in a work tree made for it: one request, one work tree, whatever happens to the answer. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

let count = 0;
function makeRepository(dir = box.dir) {
  count += 1;
  const root = join(dir, `begin-${count}`, 'app');
  mkdirSync(join(root, 'packages', 'web'), { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: root }).toString();
  git('init', '-q', '-b', 'main');
  writeFileSync(join(root, 'packages', 'web', 'a.txt'), 'one\n');
  writeFileSync(join(root, '.gitignore'), '.env\nlink.env\n');
  writeFileSync(join(root, '.worktreeinclude'), '.env\nlink.env\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  writeFileSync(join(root, '.env'), 'KEY=1\n');
  symlinkSync('/etc/hostname', join(root, 'link.env'));
  const trees = () => git('worktree', 'list', '--porcelain').match(/^worktree /gm)?.length ?? 0;
  return { root, git, trees, folder: `${root}-worktrees` };
}

const want = (branch: string, more: object = {}) => ({ request_id: randomUUID(), branch, ...more });

test('[CH170] one request makes branch, work tree and conversation, in the same folder of the repository', async () => {
  const { root, git, folder } = makeRepository();
  const cwd = join(root, 'packages', 'web');
  const made = await box.must('createConversation', { cwd, worktree: want('codex/fix') });
  const path = join(folder, 'codex-fix');
  expect(made.conversation.cwd).toBe(join(path, 'packages', 'web'));
  expect(made.worktree).toEqual({ path, branch: 'codex/fix', copied: ['.env'] });
  expect(git('rev-parse', 'codex/fix')).toBe(git('rev-parse', 'main'));
  expect(readFileSync(join(path, '.env'), 'utf8')).toBe('KEY=1\n');
  git('branch', 'old');
  const other = await box.must('createConversation', { cwd: root, worktree: want('old', { existing: true }) });
  expect(other.conversation.cwd).toBe(join(folder, 'old'));
});

test('[CH170] every refusal makes nothing: no branch, no work tree, no conversation', async () => {
  const { root, git, trees } = makeRepository();
  git('branch', 'taken');
  const empty = join(box.dir, 'empty');
  mkdirSync(empty);
  execFileSync('git', ['init', '-q', empty]);
  const before = await box.must('listConversations', {});
  const refusals = [
    [root, want('taken'), 'there is a branch taken already'],
    [root, want('a..b'), 'is no name for a branch'],
    [root, want('new', { from: 'nowhere' }), 'nowhere is no commit'],
    [empty, want('new'), 'has no commit yet'],
    ['/', want('new'), 'git repository'],
    [join(root, 'gone'), want('new'), 'does not exist'],
  ] as const;
  for (const [cwd, worktree, words] of refusals) {
    const answer = await box.call('createConversation', { cwd, worktree });
    expect(answer).toMatchObject({ ok: false, body: { message: expect.stringContaining(words) } });
  }
  expect(trees()).toBe(1);
  expect(git('branch', '--format=%(refname:short)')).toBe('main\ntaken\n');
  expect((await box.must('listConversations', {})).conversations.length).toBe(before.conversations.length);
});

test('[CH170] a token that may not run commands may not do it', async () => {
  const { root, trees } = makeRepository();
  const { secret } = await box.must('createToken', { label: 'writer', scopes: ['read', 'operate'] });
  const answer = await fetch(`${box.url()}/api/appserver/conversations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ cwd: root, worktree: want('x') }),
  });
  expect(answer.status).toBe(403);
  expect(trees()).toBe(1);
});

test('[CH171] attempts with one request id, at once and one after the other, make one work tree and one conversation', async () => {
  const { root, trees } = makeRepository();
  const worktree = want('codex/once');
  const call = () => box.must('createConversation', { cwd: root, worktree });
  const [first, second] = await Promise.all([call(), call()]);
  const third = await call();
  expect(second.id).toBe(first.id);
  expect(third).toMatchObject({ id: first.id, worktree: first.worktree });
  expect(trees()).toBe(2);
  expect((await box.must('listWorktrees', { cwd: root })).worktrees[1]?.conversations).toEqual([first.id]);
});

test.each(['worktree_recorded', 'worktree_added', 'worktree_made'])(
  '[CH171] the server is killed at %s: the next attempt goes on',
  async (point) => {
    const killed = await openBox({ env: { SIGNALBOX_KILL_AT: `after:${point}` } });
    try {
      const { root, trees, folder } = makeRepository(killed.dir);
      const worktree = want('codex/again');
      await expect(killed.call('createConversation', { cwd: root, worktree })).rejects.toThrow();
      await killed.restart({});
      const made = await killed.must('createConversation', { cwd: root, worktree });
      expect(made.conversation.cwd).toBe(join(folder, 'codex-again'));
      expect(trees()).toBe(2);
      expect(readFileSync(join(folder, 'codex-again', 'packages/web/a.txt'), 'utf8')).toBe('one\n');
      expect(existsSync(join(folder, 'codex-again-2'))).toBe(false);
      expect((await killed.must('listConversations', {})).conversations).toHaveLength(1);
    } finally {
      await killed.close();
    }
  },
);

test('[CH172] what will be copied is said before, what is not copied before and in the transcript', async () => {
  const { root } = makeRepository();
  const { included } = await box.must('listWorktrees', { cwd: root });
  expect(included).toEqual({
    files: ['.env'],
    count: 1,
    warnings: [expect.stringContaining('link.env is not copied')],
  });
  const { id, warnings } = await box.must('createConversation', { cwd: root, worktree: want('codex/copy') });
  expect(warnings).toEqual([expect.stringContaining('link.env is not copied')]);
  expect((await box.entries(id)).filter(({ role }) => role === 'warning')).toMatchObject([
    { text: expect.stringContaining('link.env is not copied') },
  ]);
});

test('[CH176] only the command that was shown runs: another one, or one that a token or the repository names, does not', async () => {
  const { root } = makeRepository();
  writeFileSync(
    join(root, 'shellspec.yaml'),
    'version: "1"\nshells: {setup: {backend: proc, command: "touch /tmp/never"}}\n',
  );
  expect((await box.call('writeWorktreeSetup', { cwd: root, command: 'touch x' }, 'token')).ok).toBe(false);
  expect((await box.must('listWorktrees', { cwd: root })).setup).toBeNull();
  await box.must('writeWorktreeSetup', { cwd: root, command: 'touch now' });
  const { id, conversation } = await box.must('createConversation', {
    cwd: root,
    worktree: want('codex/shown', { setup: 'touch before' }),
  });
  expect((await box.entries(id)).at(-1)).toMatchObject({
    role: 'warning',
    text: expect.stringContaining('was changed meanwhile, so it did not run'),
  });
  expect(existsSync(join(conversation.cwd, 'before')) || existsSync(join(conversation.cwd, 'now'))).toBe(false);
  expect((await box.must('listShells', { label: 'app=worktree-setup' })).shells).toEqual([]);
  // It is the one of the repository, so every work tree has it, also after a restart.
  await box.restart();
  expect((await box.must('listWorktrees', { cwd: conversation.cwd })).setup).toBe('touch now');
  await box.must('writeWorktreeSetup', { cwd: root, command: null });
  expect((await box.must('listWorktrees', { cwd: root })).setup).toBeNull();
});
