/** Linked work trees that nobody uses: the doctor names each with a command, and the command as printed removes it. */
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');

let box: Box;
let root = '';
beforeAll(async () => {
  box = await openBox();
  mkdirSync(join(box.dir, 'bin'));
  const shim = `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`;
  writeFileSync(join(box.dir, 'bin/signalbox'), shim, { mode: 0o755 });
  const folder = join(realpathSync(box.dir), `it's "here" $(x)`);
  root = join(folder, 'app');
  mkdirSync(root, { recursive: true });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(root, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
});
afterAll(() => box.close());

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: root }).toString();

function run(program: string, ...args: readonly string[]) {
  const env = {
    ...process.env,
    SIGNALBOX_HOME: box.home,
    NO_COLOR: '1',
    PATH: `${join(box.dir, 'bin')}:${process.env.PATH ?? ''}`,
  };
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const child = execFile(program, args, { cwd: box.dir, env }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

async function lookFor(): Promise<readonly { status: string; message: string; fix?: string }[]> {
  const { stdout } = await run('signalbox', 'doctor', '--json');
  const { checks } = JSON.parse(stdout) as {
    checks: { code: string; status: string; message: string; fix?: string }[];
  };
  return checks.filter(({ code }) => code === 'worktrees').map(({ code: _code, ...check }) => check);
}

const begin = (branch: string) =>
  box.must('createConversation', { cwd: root, worktree: { request_id: randomUUID(), branch } });

test('[CH240] the doctor lists what nobody uses, and each printed command removes it', async () => {
  const used = await begin('codex/used');
  const left = await box.must('addWorktree', { cwd: root, branch: 'codex/left' });
  const gone = await box.must('addWorktree', { cwd: root, branch: 'codex/gone' });
  rmSync(gone.worktree.path, { recursive: true });
  git('worktree', 'lock', gone.worktree.path);
  // Of the person: not made by Signalbox, and its folder is there.
  git('worktree', 'add', '-q', '-b', 'mine', join(root, '../mine'));
  const trashed = await begin('codex/trashed');
  await box.must('deleteConversation', { id: trashed.id });

  const found = await lookFor();
  // In the order in which git lists them.
  expect(found).toMatchObject([
    { status: 'warn', message: expect.stringContaining('codex/gone: its folder is gone') },
    { status: 'warn', message: expect.stringContaining('codex/left: Signalbox made it, and no conversation') },
  ]);
  for (const { fix } of found) expect(await run('sh', '-c', fix ?? '')).toMatchObject({ code: 0 });
  expect(existsSync(left.worktree.path)).toBe(false);
  expect(git('worktree', 'list', '--porcelain')).not.toContain('codex-gone');
  expect(git('branch', '--list', 'codex/left')).toBe('');
  expect(existsSync(used.conversation.cwd)).toBe(true);
  expect(await lookFor()).toEqual([{ status: 'ok', message: 'no linked work tree is left over' }]);
});

test('[CH240] a work tree of a conversation that cannot be read is not called unused', async () => {
  const { id } = await begin('codex/unread');
  const meta = join(box.home, 'conversations', id, 'conversation_meta.json');
  const text = execFileSync('cat', [meta]).toString();
  writeFileSync(meta, '{');
  expect(await lookFor()).toMatchObject([{ status: 'ok' }]);
  writeFileSync(meta, text);
});
