/** A fork in a work tree of its own, from a message of the page. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE } from '../../src/testing/browser.ts';
import { eventually, row, say, script, setStage, sideways, turnsDone } from './stage.ts';

const stage = setStage();

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd }).toString();

function makeRepository(name: string): string {
  const root = join(stage.box.dir, 'repos', name);
  mkdirSync(root, { recursive: true });
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'config', 'user.name', 'A');
  git(root, 'config', 'user.email', 'a@b');
  writeFileSync(join(root, 'a.txt'), 'one\n');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'first');
  return root;
}

const openId = (page: Page) => /conv_[0-9a-f]{32}/.exec(page.url())?.[0] ?? '';

test('[CH244] a message forks into a new work tree with the files of its turn; a refusal keeps the name', async () => {
  const root = makeRepository('forked');
  const { id, page, visit } = await stage.fresh({
    cwd: root,
    label: 'Parser',
    approval: 'never',
    sandbox: 'danger-full-access',
  });
  const command = { cmd: "sleep 1; printf 'two\\n' > a.txt", login: false, yield_time_ms: 5_000 };
  await say(page, `go ${script(stage.box, [{ call: 'exec_command', args: command }], [{ say: 'done' }])}`);
  await row(page, 'assistant').getByText('done').waitFor();
  await turnsDone(page);
  const kept = async () => (await stage.box.must('listCheckpoints', { id })).checkpoints.at(-1)?.after ?? null;
  await eventually(kept).not.toBeNull();
  writeFileSync(join(root, 'a.txt'), 'later\n');
  const openDialog = async () => {
    await row(page, 'user').hover();
    await row(page, 'user').getByRole('button', { name: 'More for this message' }).click();
    await page.getByRole('menuitem', { name: /^Fork into a work tree/ }).click();
  };
  await openDialog();
  const dialog = page.getByRole('dialog', { name: 'Fork into a work tree' });
  const branch = dialog.getByRole('textbox', { name: 'Branch' });
  await eventually(() => branch.inputValue()).toBe('codex/parser-fork');
  await visit.shot('fork-dialog');
  await page.setViewportSize(PHONE);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('fork-dialog-phone');
  await branch.fill('a..b');
  await branch.press('Enter');
  await dialog.getByRole('alert').getByText('is no name for a branch').waitFor();
  expect(await branch.inputValue()).toBe('a..b');
  await branch.fill('codex/parser-fork');
  await dialog.getByRole('button', { name: 'Fork', exact: true }).dblclick();
  await dialog.waitFor({ state: 'detached' });
  await eventually(async () => openId(page)).not.toBe(id);
  const path = join(`${root}-worktrees`, 'codex-parser-fork');
  expect((await stage.box.must('readConversation', { id: openId(page) })).conversation).toMatchObject({
    cwd: path,
    forked_from: id,
  });
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('two\n');
  expect(git(root, 'worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(2);
  // The refusal.
  expect(visit.problems).toEqual({ console: [expect.stringContaining('400')], page: [], csp: [], foreign: [] });
});
