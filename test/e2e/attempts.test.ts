/** Work trees from the page: a fork in one of its own, and several attempts at one task, compared and one of them kept. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE } from '../../src/testing/browser.ts';
import { composer, eventually, expectClean, row, say, script, setStage, sideways, turnsDone } from './stage.ts';

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

/** Begins so many attempts from the page, and answers their ids in order. */
async function beginAttempts(page: Page, root: string, count: number, branch: string, press: 'click' | 'dblclick') {
  await page.getByRole('combobox', { name: 'Start in' }).fill(root);
  await page.getByRole('combobox', { name: 'Start in' }).press('Enter');
  await page.getByRole('button', { name: /^Where it works/ }).click();
  await page.getByRole('menuitemradio', { name: /^In a new work tree/ }).click();
  await page.getByRole('textbox', { name: 'Branch' }).fill(branch);
  await page.getByRole('combobox', { name: 'Attempts' }).selectOption(String(count));
  return async (text: string) => {
    await composer(page).fill(text);
    await page.getByRole('button', { name: 'Send', exact: true })[press]();
    await eventually(async () => openId(page)).not.toBe('');
    const listed = () => stage.box.must('listAttempts', { id: openId(page) });
    await eventually(async () => (await listed()).attempts.map(({ state }) => state)).toEqual(
      Array.from({ length: count }, () => 'done'),
    );
    return (await listed()).attempts;
  };
}

test('[CH246] one message begins three attempts, once, and one that cannot be made is named while the others go on', async () => {
  const root = makeRepository('many');
  const visit = await stage.open();
  const { page } = visit;
  const send = await beginAttempts(page, root, 3, 'codex/many', 'dblclick');
  await page.getByText('codex/many, codex/many-2, codex/many-3').waitFor();
  await visit.shot('attempts-start');
  await page.setViewportSize(PHONE);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('attempts-start-phone');
  const word = script(stage.box, [{ say: 'done' }], [{ say: 'done' }], [{ say: 'done' }]);
  const attempts = await send(`go ${word}`);
  expect(attempts.map(({ number, branch }) => [number, branch])).toEqual([
    [1, 'codex/many'],
    [2, 'codex/many-2'],
    [3, 'codex/many-3'],
  ]);
  expect(git(root, 'worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(4);
  for (const { id } of attempts)
    expect((await stage.box.entries(id)).filter(({ role }) => role === 'user')).toHaveLength(1);
  expectClean(visit);

  const other = await stage.open();
  const sendAgain = await beginAttempts(other.page, root, 2, 'codex/half', 'click');
  // Made by somebody else after the page had read the branches.
  git(root, 'branch', 'codex/half-2');
  const last = script(stage.box, [{ say: 'done' }]);
  await composer(other.page).fill(`go ${last}`);
  await other.page.getByRole('button', { name: 'Send', exact: true }).click();
  await other.page.getByText('The attempt on codex/half-2 did not begin: there is a branch codex/half-2').waitFor();
  await row(other.page, 'assistant').getByText('done').waitFor();
  expect(sendAgain).toBeDefined();
});

test('[CH247] attempts are compared, one is kept, and the others go only after a yes to what is lost', async () => {
  const root = makeRepository('kept');
  const visit = await stage.open();
  const { page } = visit;
  const send = await beginAttempts(page, root, 2, 'codex/kept', 'click');
  const attempts = await send(`go ${script(stage.box, [{ say: 'The answer' }], [{ say: 'The answer' }])}`);
  const [first, second] = attempts.map(({ cwd }) => cwd);
  if (first === undefined || second === undefined) throw new Error('two attempts were begun');
  writeFileSync(join(first, 'a.txt'), 'better\n');
  git(first, 'commit', '-q', '-a', '-m', 'better');
  writeFileSync(join(second, 'loose.txt'), 'loose\n');
  await page.getByRole('button', { name: 'Compare attempts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare attempts' });
  const column = (number: number) => dialog.getByRole('listitem', { name: `Attempt ${number}` });
  await column(1).getByText('The answer').waitFor();
  await column(2).getByText('Done').waitFor();
  await eventually(() => column(1).innerText()).toMatch(/1 file\s+\+1\s+−1/);
  await column(1).getByRole('button', { name: 'Difference' }).click();
  await column(1).getByText('better').waitFor();
  await visit.shot('attempts-compare');
  await page.emulateMedia({ colorScheme: 'light' });
  await visit.shot('attempts-compare-light');
  await page.setViewportSize(PHONE);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('attempts-compare-phone');
  await column(1).getByRole('button', { name: 'Keep this one' }).click();
  const keep = page.getByRole('dialog', { name: 'Keep attempt 1' });
  await keep.getByText('1 commit of codex/kept goes into main.').waitFor();
  await visit.shot('attempts-keep-phone');
  await keep.getByRole('button', { name: 'Finish' }).click();
  const remove = page.getByRole('dialog', { name: 'Remove 1 other attempt' });
  await remove.getByText('loose.txt').waitFor();
  await visit.shot('attempts-remove-phone');
  const button = remove.getByRole('button', { name: 'Remove 1 other attempt' });
  expect(await button.isDisabled()).toBe(true);
  expect(existsSync(join(second, 'loose.txt'))).toBe(true);
  await remove.getByRole('checkbox').check();
  await button.click();
  await page.getByText('The other attempts were removed.').waitFor();
  expect([existsSync(first), existsSync(second)]).toEqual([false, false]);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('better\n');
  expect(git(root, 'branch', '--format=%(refname:short)').trim()).toBe('main');
  expect(git(root, 'for-each-ref', 'refs/signalbox/removed')).toContain('/files');
  expectClean(visit);
});
