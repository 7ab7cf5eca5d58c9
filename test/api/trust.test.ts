/** A directory with a hostile `.codex`: the real Codex loads nothing of it before a person has agreed, and marks no project as trusted. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SANDBOXES } from '../../src/contract/conversation.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox({ ...(process.env.CODEX_TRUST_BIN && { codexBin: process.env.CODEX_TRUST_BIN }) });
});
afterAll(() => box?.close());

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.email=a@b.c', '-c', 'user.name=n', ...args], { cwd, stdio: 'pipe' });

/** An MCP server that leaves a file behind when it is started. */
const planted = (dir: string, more = '') =>
  `[mcp_servers.planted]\ncommand = "sh"\nargs = ["-c", "echo ran >> '${join(dir, 'RAN')}'"]\n${more}`;

async function plant(dir: string, more = ''): Promise<void> {
  await mkdir(join(dir, '.codex'), { recursive: true });
  await writeFile(join(dir, '.codex', 'config.toml'), planted(dir, more));
}

const ran = (dir: string): boolean => existsSync(join(dir, 'RAN'));
const codexConfig = () => readFile(join(box.codexHome, 'config.toml'), 'utf8');

/** What an earlier version of Signalbox, or the person in another program, wrote for this directory. */
async function trustInCodex(dir: string): Promise<void> {
  await writeFile(
    join(box.codexHome, 'config.toml'),
    `${await codexConfig()}\n[projects.${JSON.stringify(dir)}]\ntrust_level = "trusted"\n`,
  );
}

async function makeRepository(name: string): Promise<string> {
  const dir = join(box.dir, name);
  await mkdir(dir);
  git(dir, 'init', '-q');
  git(dir, 'commit', '-q', '--allow-empty', '-m', 'first');
  return dir;
}

async function talk(settings: Parameters<Box['create']>[0], text = 'hello'): Promise<string> {
  const id = await box.create(settings);
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text });
  await watcher.turnEnd();
  watcher.close();
  return id;
}

test.each(SANDBOXES)(
  "[WT1] the first message in a directory leaves Codex's config.toml as it was: %s",
  async (sandbox) => {
    const dir = await makeRepository(`fresh-${sandbox}`);
    const before = await codexConfig();
    await talk({ cwd: dir, sandbox });
    expect(await codexConfig()).toBe(before);
  },
);

test('[WT2] a project configuration nobody agreed to starts nothing, and the message is answered', async () => {
  const dir = await makeRepository('hostile');
  await plant(dir);
  await talk({ cwd: dir });
  expect(ran(dir)).toBe(false);
});

test('[WT2] it stays off where config.toml says trusted: at the top, in a subdirectory, in a worktree, behind a link', async () => {
  const dir = await makeRepository('trusted-before');
  const sub = join(dir, 'sub');
  const worktree = join(box.dir, 'worktree');
  const link = join(box.dir, 'link');
  git(dir, 'worktree', 'add', '-q', worktree);
  await mkdir(sub);
  await symlink(dir, link);
  for (const one of [dir, sub, worktree]) await plant(one);
  await trustInCodex(dir);
  const before = await codexConfig();
  for (const cwd of [dir, sub, worktree, link]) await talk({ cwd });
  expect([dir, sub, worktree].filter(ran)).toEqual([]);
  expect(await codexConfig()).toBe(before);
});

test('[WT2] it stays off when the thread is resumed, forked and reviewed', async () => {
  const dir = await makeRepository('resumed');
  const id = await talk({ cwd: dir });
  await plant(dir);
  await trustInCodex(dir);
  const before = await codexConfig();
  await box.must('stop', {});
  await box.must('start', {});
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'again' });
  await watcher.turnEnd();
  const { id: fork } = await box.must('forkConversation', { id });
  const other = await box.watch(fork);
  await box.must('sendMessage', { conversation_id: fork, text: 'and here' });
  await other.turnEnd();
  expect(ran(dir)).toBe(false);
  expect(await codexConfig()).toBe(before);
});

test('[WT3] a configuration that a sandboxed agent plants is off for a conversation opened there later', async () => {
  const dir = await makeRepository('planting');
  const sub = join(dir, 'sub');
  const script = `mkdir -p sub/.codex && printf '%s' "$TEXT" > sub/.codex/config.toml`;
  const cmd = `TEXT=${JSON.stringify(planted(sub)).replaceAll('\\n', '\n').replaceAll('`', '')}; ${script}`;
  box.model.push({ events: [{ call: 'exec_command', args: { cmd, login: false } }] }, { events: [{ say: 'done' }] });
  await talk({ cwd: dir, approval: 'never' }, 'plant it');
  expect(existsSync(join(sub, '.codex', 'config.toml'))).toBe(true);
  await talk({ cwd: sub });
  expect(ran(sub)).toBe(false);
});
