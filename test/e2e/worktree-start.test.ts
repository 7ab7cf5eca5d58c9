/** A new conversation in a linked work tree: chosen before the first message, made when it is sent, refused without losing a word. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE } from '../../src/testing/browser.ts';
import { composer, eventually, expectClean, row, say, script, setStage, sideways, turnsDone } from './stage.ts';

const stage = setStage();

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd }).toString();

/** Another try of a test makes another repository. */
let count = 0;

async function makeRepository(name: string): Promise<string> {
  count += 1;
  const root = join(stage.box.dir, 'repos', `${name}-${count}`);
  await mkdir(root, { recursive: true });
  git(root, 'init', '-q', '-b', 'main');
  await writeFile(join(root, 'a.txt'), 'one\n');
  await writeFile(join(root, '.gitignore'), '.env\nsecret/\n');
  await writeFile(join(root, '.worktreeinclude'), '.env\nsecret/\n');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'first');
  return root;
}

const place = (page: Page) => page.getByRole('combobox', { name: 'Start in' });
const menu = (page: Page) => page.getByRole('button', { name: /^Where it works/ });
const branch = (page: Page) => page.getByRole('textbox', { name: 'Branch' });
const trees = (root: string) => git(root, 'worktree', 'list', '--porcelain').match(/^worktree /gm)?.length ?? 0;

async function workIn(page: Page, cwd: string): Promise<void> {
  await place(page).fill(cwd);
  await place(page).press('Enter');
}

async function choose(page: Page, name: string | RegExp): Promise<void> {
  await menu(page).click();
  await page.getByRole('menuitemradio', { name }).click();
}

async function begun(page: Page) {
  await row(page, 'assistant').getByText('done').waitFor();
  await turnsDone(page);
  const id = /conv_[0-9a-f]{32}/.exec(page.url())?.[0] ?? '';
  return (await stage.box.must('readConversation', { id })).conversation;
}

test('[CH173] a new work tree is named after the message, says what it copies, and is made when the message is sent', async () => {
  const root = await makeRepository('app');
  await writeFile(join(root, '.env'), 'KEY=1\n');
  execFileSync('mkdir', ['-p', join(root, 'secret')]);
  execFileSync('mkfifo', [join(root, 'secret', 'pipe')]);
  git(root, 'branch', 'release');
  const visit = await stage.open();
  const { page } = visit;
  await workIn(page, root);
  await choose(page, /^In a new work tree/);
  await page.getByText('Copies 1 ignored file that .worktreeinclude names: .env.').waitFor();
  const word = script(stage.box, [{ say: 'done' }]);
  await composer(page).fill(`Mend ${word}`);
  await eventually(() => branch(page).inputValue()).toBe(`codex/mend-${word}`);
  expect(await page.getByRole('combobox', { name: 'From' }).innerText()).toContain('main (base branch)');
  await visit.shot('worktree-start');
  await page.setViewportSize(PHONE);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('worktree-start-phone');
  expect(existsSync(`${root}-worktrees`)).toBe(false);
  await composer(page).press('Enter');
  const path = join(`${root}-worktrees`, `codex-mend-${word}`);
  expect(await begun(page)).toMatchObject({ cwd: path });
  expect(git(path, 'branch', '--show-current').trim()).toBe(`codex/mend-${word}`);
  expect(existsSync(join(path, '.env'))).toBe(true);
  expectClean(visit);
});

test('[CH173] an existing work tree is chosen from a list; where there is no repository nothing is offered', async () => {
  const root = await makeRepository('listed');
  git(root, 'worktree', 'add', '-q', '-b', 'side', `${root}-side`);
  const visit = await stage.open();
  const { page } = visit;
  await workIn(page, root);
  await menu(page).click();
  await visit.shot('worktree-start-menu');
  await page.getByRole('menuitemradio', { name: /^side/ }).click();
  await eventually(() => menu(page).innerText()).toContain('In the work tree of side');
  await say(page, `go ${script(stage.box, [{ say: 'done' }])}`);
  expect(await begun(page)).toMatchObject({ cwd: `${root}-side` });
  const other = await stage.open();
  await workIn(other.page, root);
  await menu(other.page).waitFor();
  await workIn(other.page, '/');
  await menu(other.page).waitFor({ state: 'detached' });
  expectClean(visit, other);
});

test('[CH174] a refusal stands in the form with the text kept, and the next name works', async () => {
  const root = await makeRepository('refused');
  const visit = await stage.open();
  const { page } = visit;
  await workIn(page, root);
  await choose(page, /^In a new work tree/);
  const word = script(stage.box, [{ say: 'done' }]);
  await composer(page).fill(`Work ${word}`);
  await branch(page).fill('a..b');
  await composer(page).press('Enter');
  await page.getByRole('alert').getByText('is no name for a branch').waitFor();
  // Made by somebody else after the page had read the branches.
  git(root, 'branch', 'topic');
  await branch(page).fill('topic');
  await composer(page).press('Enter');
  await page.getByRole('alert').getByText('there is a branch topic already').waitFor();
  await visit.shot('worktree-start-refused');
  expect(await composer(page).inputValue()).toBe(`Work ${word}`);
  expect(trees(root)).toBe(1);
  await branch(page).fill('topic-2');
  await composer(page).press('Enter');
  expect(await begun(page)).toMatchObject({ cwd: join(`${root}-worktrees`, 'topic-2') });
  expect(await row(page, 'user').innerText()).toContain(`Work ${word}`);
});

test('[CH174] a repository without a commit says so in the form', async () => {
  const root = join(stage.box.dir, 'repos', 'unborn');
  await mkdir(root, { recursive: true });
  git(root, 'init', '-q', '-b', 'main');
  const visit = await stage.open();
  await workIn(visit.page, root);
  await choose(visit.page, /^In a new work tree/);
  await say(visit.page, 'begin');
  await visit.page.getByRole('alert').getByText('the repository has no commit yet').waitFor();
  expect(await composer(visit.page).inputValue()).toBe('begin');
});

test('[CH174] an answer that gets lost, and another text after it, make one work tree and one conversation', async () => {
  const root = await makeRepository('lost');
  const visit = await stage.open();
  const { page } = visit;
  await workIn(page, root);
  await choose(page, /^In a new work tree/);
  const word = script(stage.box, [{ say: 'done' }]);
  await composer(page).fill(`First ${word}`);
  const reached = new Promise<void>((done) => {
    void page.route(/\/api\/appserver\/conversations$/, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await route.fetch();
      await route.abort();
      await page.unroute(/\/api\/appserver\/conversations$/);
      done();
    });
  });
  await composer(page).press('Enter');
  await reached;
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
  await composer(page).fill(`Other words ${word}`);
  await composer(page).press('Enter');
  await begun(page);
  expect(trees(root)).toBe(2);
  const { conversations } = await stage.box.must('listConversations', {});
  expect(conversations.filter(({ cwd }) => cwd.startsWith(`${root}-worktrees/`))).toHaveLength(1);
});

test('[CH174] a double press of the send button makes one work tree', async () => {
  const root = await makeRepository('twice');
  const visit = await stage.open();
  const { page } = visit;
  await workIn(page, root);
  await choose(page, /^In a new work tree/);
  await composer(page).fill(`Twice ${script(stage.box, [{ say: 'done' }])}`);
  await page.getByRole('button', { name: 'Send', exact: true }).dblclick();
  await begun(page);
  expect(trees(root)).toBe(2);
  expect(await row(page, 'user').count()).toBe(1);
});

test('[CH175] the set-up command is written by the person, shown, and runs as a shell in the new work tree', async () => {
  const root = await makeRepository('setup');
  const visit = await stage.open();
  const { page } = visit;
  await workIn(page, root);
  await choose(page, /^In a new work tree/);
  await page.getByRole('button', { name: 'Add a set-up command' }).click();
  await page.getByRole('textbox', { name: 'Set-up command' }).fill('echo ready > made.txt; exit 3');
  await visit.shot('worktree-setup-edit');
  await page.keyboard.press('Enter');
  await page.getByText('Then runs echo ready > made.txt; exit 3').waitFor();
  await visit.shot('worktree-setup');
  await composer(page).fill(`Set ${script(stage.box, [{ say: 'done' }])}`);
  await composer(page).press('Enter');
  const { cwd } = await begun(page);
  await row(page, 'warning').getByText('exit 3` failed').waitFor();
  await visit.shot('worktree-setup-failed');
  expect(existsSync(join(cwd, 'made.txt'))).toBe(true);
  const { shells } = await stage.box.must('listShells', { label: 'app=worktree-setup' });
  expect(shells.filter((one) => one.cwd === cwd)).toMatchObject([
    { cwd, state: 'failed', exit: { code: 3 }, title: expect.stringMatching(/^Set up codex\/set-/) },
  ]);
  // Another browser sees it before it runs.
  const other = await stage.open();
  await workIn(other.page, root);
  await choose(other.page, /^In a new work tree/);
  await other.page.getByText('Then runs echo ready > made.txt; exit 3').waitFor();
  expectClean(visit, other);
});
