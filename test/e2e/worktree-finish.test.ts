/** A conversation in a linked work tree: its branch is shown, and its work is finished from the page without losing anything unasked. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE } from '../../src/testing/browser.ts';
import { eventually, expectClean, row, say, script, setStage, sideways, turnsDone } from './stage.ts';

const stage = setStage();

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd }).toString();

async function makeTree(name: string) {
  const root = join(stage.box.dir, 'repos', name);
  await mkdir(root, { recursive: true });
  git(root, 'init', '-q', '-b', 'main');
  for (const [key, value] of [
    ['user.name', 'A'],
    ['user.email', 'a@b'],
  ] as const)
    git(root, 'config', key, value);
  writeFileSync(join(root, 'a.txt'), 'one\n');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'first');
  const path = `${root}-work`;
  git(root, 'worktree', 'add', '-q', '-b', `codex/${name}`, path);
  const commit = (cwd: string, file: string, text: string) => {
    writeFileSync(join(cwd, file), text);
    git(cwd, 'add', '-A');
    git(cwd, 'commit', '-q', '-m', `write ${file}`);
  };
  return { root, path, commit };
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Finish work tree' });
const item = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name });

async function openFinish(page: Page): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Conversations' })
    .locator('[aria-current]')
    .getByRole('img', { name: /work tree on/ })
    .waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Finish work');
  await page
    .getByRole('option', { name: /^Finish work tree/ })
    .first()
    .click();
  await dialog(page).getByRole('button', { name: 'Cancel' }).waitFor();
}

test('[CH177] list and header show the branch of a linked work tree and of no other', async () => {
  const { root, path } = await makeTree('shown');
  await stage.box.create({ cwd: root, label: 'in the main one' });
  const { visit, page } = await stage.fresh({ cwd: path, label: 'in a linked one' });
  await item(page, 'in a linked one').getByRole('img', { name: 'in a work tree on codex/shown' }).waitFor();
  expect(
    await item(page, 'in the main one')
      .getByRole('img', { name: /work tree/ })
      .count(),
  ).toBe(0);
  await page.locator('header').getByText('codex/shown').waitFor({ state: 'attached' });
  git(path, 'switch', '-q', '-c', 'renamed');
  await say(page, `go ${script(stage.box, [{ say: 'done' }])}`);
  await turnsDone(page);
  await item(page, 'in a linked one').getByRole('img', { name: 'in a work tree on renamed' }).waitFor();
  await visit.shot('worktree-branch');
  expectClean(visit);
});

test('[CH178] conflicts are named and nothing can be done; after they are gone the work gets into the base and the tree goes', async () => {
  const { root, path, commit } = await makeTree('finish');
  commit(path, 'a.txt', 'theirs\n');
  commit(root, 'a.txt', 'ours\n');
  const { visit, page } = await stage.fresh({ cwd: path });
  await say(page, `go ${script(stage.box, [{ say: 'done' }])}`);
  await row(page, 'assistant').getByText('done').waitFor();
  await turnsDone(page);
  await openFinish(page);
  await dialog(page).getByText('Both branches changed 1 file').waitFor();
  await dialog(page).getByRole('listitem').getByText('a.txt').waitFor();
  expect(await dialog(page).getByRole('button', { name: 'Finish' }).isDisabled()).toBe(true);
  await visit.shot('worktree-finish-conflict');
  await page.keyboard.press('Escape');
  git(path, 'merge', '-q', '-s', 'ours', 'main');
  await openFinish(page);
  await dialog(page).getByText('2 commits of codex/finish go into main.').waitFor();
  await visit.shot('worktree-finish');
  await dialog(page).getByRole('button', { name: 'Finish' }).click();
  await page.getByText('codex/finish is in main. The work tree and its branch were removed.').waitFor();
  expect(existsSync(path)).toBe(false);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('theirs\n');
  expect(git(root, 'branch', '--format=%(refname:short)')).toBe('main\n');
  expectClean(visit);
});

test('[CH178] what would be lost is listed, and goes only after a second yes', async () => {
  const { root, path, commit } = await makeTree('lost');
  commit(path, 'b.txt', 'b\n');
  writeFileSync(join(path, 'loose.txt'), 'loose\n');
  const { visit, page } = await stage.fresh({ cwd: path });
  await openFinish(page);
  await dialog(page).getByText('1 file is not committed and would go:').waitFor();
  await dialog(page).getByRole('listitem').getByText('loose.txt').waitFor();
  expect(await dialog(page).getByRole('button', { name: 'Finish' }).isDisabled()).toBe(true);
  await visit.shot('worktree-finish-lost');
  await page.setViewportSize(PHONE);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('worktree-finish-lost-phone');
  await dialog(page)
    .getByRole('checkbox', { name: /Remove all the same/ })
    .check();
  await dialog(page).getByRole('button', { name: 'Finish' }).click();
  await eventually(async () => existsSync(path)).toBe(false);
  expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('b\n');
  const kept = git(root, 'for-each-ref', '--format=%(refname)', 'refs/signalbox/removed').trim().split('\n');
  expect(kept.some((ref) => git(root, 'ls-tree', '-r', '--name-only', ref).includes('loose.txt'))).toBe(true);
  expectClean(visit);
});
