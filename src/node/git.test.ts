/** The limits and the environment of git processes. */
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDir } from '../testing/box.ts';
import { createGit } from './git.ts';

/** A program named git that does what the script says. */
async function withScript(script: string) {
  const dir = await makeDir('git');
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'bin'));
  await writeFile(join(dir, 'bin/git'), `#!/bin/sh\n${script}\n`);
  await chmod(join(dir, 'bin/git'), 0o755);
  const env = {
    PATH: `${join(dir, 'bin')}:${process.env.PATH}`,
    HOME: dir,
    SIGNALBOX_TOKEN: 'secret',
    AWS_KEY: 'secret',
  };
  return { dir, git: createGit(env) };
}

test('[CH8] git gets no variable that it does not need, and takes no optional locks', async () => {
  const { dir, git } = await withScript('env > "$HOME/env"');
  await git({ cwd: dir, args: ['status'] });
  const env = await readFile(join(dir, 'env'), 'utf8');
  expect(env).not.toContain('secret');
  expect(env).toContain('GIT_OPTIONAL_LOCKS=0');
});

test('[CH8] a process that takes too long is ended, with what it started', async () => {
  const { dir, git } = await withScript('sleep 600 & echo $! > "$HOME/pid"; wait');
  const answer = await git({ cwd: dir, args: [], timeoutMs: 300 });
  expect(answer.kind).toBe('time_limit');
  const pid = Number(await readFile(join(dir, 'pid'), 'utf8'));
  await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
});

test('[CH8] output beyond the limit is cut, and the process is ended', async () => {
  const { dir, git } = await withScript('exec yes');
  const answer = await git({ cwd: dir, args: [], maxBytes: 1_000 });
  expect(answer.kind === 'too_long' && answer.stdout.length).toBe(1_000);
});

test('[CH8] a directory that does not exist, and a missing git, are answers', async () => {
  const { git } = await withScript('');
  expect((await git({ cwd: '/no/such/folder', args: [] })).kind).toBe('not_started');
  expect((await createGit({ PATH: '/nowhere' })({ cwd: '/', args: [] })).kind).toBe('not_started');
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
