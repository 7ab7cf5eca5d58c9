/** Linked work trees through the whole server: rights, the command line, a conversation in a checkout of its own. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

let count = 0;
function makeRepository() {
  count += 1;
  const root = join(box.dir, `trees-${count}`, 'app');
  mkdirSync(root, { recursive: true });
  const env = { ...process.env, HOME: box.dir };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: root, env }).toString();
  git('init', '-q', '-b', 'main');
  writeFileSync(join(root, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  return { root, git, folder: `${root}-worktrees` };
}

function run(cwd: string, ...args: readonly string[]) {
  const env = { ...process.env, SIGNALBOX_HOME: box.home, NO_COLOR: '1' };
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const child = execFile(process.execPath, [MAIN, ...args], { cwd, env }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

test('[CH85] a conversation begins in a new work tree from the command line, works there, and its work is finished there', async () => {
  const { root, git, folder } = makeRepository();
  const made = await run(root, 'conversations', 'new', '--worktree', 'codex/fix');
  expect(made).toMatchObject({ code: 0 });
  const id = made.stdout.trim();
  const path = join(folder, 'codex-fix');
  expect((await box.must('readConversation', { id })).row.cwd).toBe(path);
  const listed = await run(root, 'worktree', 'list', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject({
    worktrees: [{ branch: 'main' }, { branch: 'codex/fix', conversations: [id] }],
    base: 'main',
  });
  writeFileSync(join(path, 'b.txt'), 'b\n');
  execFileSync('git', ['add', '-A'], { cwd: path });
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'second'], { cwd: path });
  writeFileSync(join(path, 'loose.txt'), 'loose\n');
  const refused = await run(path, 'worktree', 'finish');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('loose.txt') });
  expect(existsSync(path)).toBe(true);
  const done = await run(root, 'worktree', 'finish', path, '--lose');
  expect(done).toMatchObject({ code: 0, stdout: 'brought 1 commit of codex/fix into main\n' });
  expect(existsSync(path)).toBe(false);
  expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('b\n');
  expect(git('branch', '--format=%(refname:short)')).toBe('main\n');
});

test('[CH85] whoever may run commands may do it; a token that may not is refused', async () => {
  const { root, folder } = makeRepository();
  const { secret } = await box.must('createToken', { label: 'reader', scopes: ['read', 'operate'] });
  const asReader = (path: string, init: RequestInit = {}) =>
    fetch(`${box.url()}/api/appserver/worktrees${path}`, {
      ...init,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    });
  expect((await asReader(`?cwd=${encodeURIComponent(root)}`)).status).toBe(403);
  const body = JSON.stringify({ cwd: root, branch: 'x' });
  expect((await asReader('', { method: 'POST', body })).status).toBe(403);
  expect((await box.call('listWorktrees', { cwd: root }, 'token')).ok).toBe(true);

  expect(existsSync(folder)).toBe(false);
});

test('[CH80] outside a repository the answer says why', async () => {
  expect(await box.must('listWorktrees', { cwd: '/' })).toMatchObject({ worktrees: [], reason: expect.any(String) });
});
