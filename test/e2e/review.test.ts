/** Starting a review from the page: the form, its four targets, and what the transcript says of them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  button,
  composer,
  DESKTOP,
  eventually,
  expectClean,
  PHONE,
  row,
  say,
  setStage,
  sideways,
  transcript,
  turnsDone,
} from './stage.ts';

const stage = setStage();

let count = 0;
/** A branch with a commit of its own above `main`, and one file that is not committed. */
function makeRepository() {
  count += 1;
  const root = join(stage.box.dir, `repo-${count}`);
  mkdirSync(root);
  const env = { ...process.env, HOME: stage.box.dir };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: root, env })
      .toString()
      .trim();
  git('init', '-q', '-b', 'main');
  writeFileSync(join(root, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Begin');
  git('checkout', '-q', '-b', 'feat/parser');
  writeFileSync(join(root, 'a.txt'), 'two\n');
  git('commit', '-q', '-am', 'Parse the second line');
  writeFileSync(join(root, 'new.txt'), 'new\n');
  return { root, git };
}

const VERDICT = JSON.stringify({
  findings: [],
  overall_correctness: 'patch is correct',
  overall_explanation: 'The patch is fine.',
  overall_confidence_score: 1,
});

const form = (page: Page) => page.getByRole('dialog', { name: 'Review' });
const asked = () => stage.box.model.requests.at(-1)?.rawBody ?? '';

async function openForm(page: Page): Promise<void> {
  await composer(page).fill('/review');
  await composer(page).press('Enter');
  await form(page).getByRole('radio').first().waitFor();
}

test('[PG340] /review opens a form that starts with uncommitted changes; the review runs by Enter, and its prompt is nobody’s message', async () => {
  const { root } = makeRepository();
  const { visit, page } = await stage.fresh({ cwd: root, approval: 'never' });
  stage.box.model.push({ events: [{ say: VERDICT }] });
  await openForm(page);
  const radio = form(page).getByRole('radio', { name: /Uncommitted changes/ });
  await eventually(() => radio.evaluate((one) => one.matches(':focus'))).toBe(true);
  expect(await radio.isChecked()).toBe(true);
  await form(page).getByText('1 file', { exact: true }).waitFor();
  await visit.shot('review-form');
  await page.keyboard.press('Enter');
  await turnsDone(page);
  await row(page, 'assistant').getByText('The patch is fine.').waitFor();
  expect(await row(page, 'user').count()).toBe(0);
  expect(await form(page).count()).toBe(0);
  await visit.shot('review-done');
  await visit.reload();
  await turnsDone(page);
  expect(await row(page, 'user').count()).toBe(0);
  expectClean(visit);
});

test('[PG341] a base branch is chosen by keyboard; the default branch is offered first', async () => {
  const { root, git } = makeRepository();
  git('branch', 'old/stable', 'main');
  const { visit, page } = await stage.fresh({ cwd: root, approval: 'never' });
  stage.box.model.push({ events: [{ say: VERDICT }] });
  await openForm(page);
  await form(page).locator('input:focus').waitFor();
  await page.keyboard.press('ArrowDown');
  const branches = form(page).getByRole('combobox', { name: 'Base branch' });
  expect(await branches.locator('option').allInnerTexts()).toEqual(['main (default)', 'old/stable']);
  await visit.shot('review-branch');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await eventually(() => branches.inputValue()).toBe('old/stable');
  await button(page, 'Start review').press('Enter');
  await turnsDone(page);
  expect(asked()).toContain('old/stable');
  await row(page, 'note')
    .getByText(/old\/stable/)
    .waitFor();
  expectClean(visit);
});

test('[PG341] one commit is reviewed, on a phone', async () => {
  const { root, git } = makeRepository();
  const { visit, page } = await stage.fresh({ cwd: root, approval: 'never' });
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'light' });
  stage.box.model.push({ events: [{ say: VERDICT }] });
  await composer(page).fill('/review');
  await page.getByRole('option', { name: /\/review/ }).click();
  await form(page).getByRole('radio', { name: 'One commit' }).check();
  const commits = form(page).getByRole('combobox', { name: 'One commit' });
  const first = git('rev-parse', 'main');
  expect((await commits.locator('option').allInnerTexts()).map((one) => one.replace(/ · .*/, ''))).toEqual([
    `${git('rev-parse', 'HEAD').slice(0, 7)} Parse the second line`,
    `${first.slice(0, 7)} Begin`,
  ]);
  await commits.selectOption(first);
  await visit.shot('review-commit-phone');
  expect(await sideways(page)).toEqual([]);
  const heights = await form(page)
    .locator('label, select, button')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(Math.min(...heights.filter((one) => one > 0))).toBeGreaterThanOrEqual(28);
  await button(page, 'Start review').click();
  await turnsDone(page);
  expect(asked()).toContain(first);
  expect(await row(page, 'user').count()).toBe(0);
  await page.setViewportSize(DESKTOP);
  expectClean(visit);
});

test('[PG340] own instructions are typed in the form, or behind the command', async () => {
  const { root } = makeRepository();
  const { visit, page } = await stage.fresh({ cwd: root, approval: 'never' });
  stage.box.model.push({ events: [{ say: VERDICT }] });
  await openForm(page);
  await form(page).getByRole('radio', { name: 'Your own instructions' }).check();
  expect(await button(page, 'Start review').isDisabled()).toBe(true);
  await form(page).getByRole('textbox', { name: 'Your own instructions' }).fill('Only the spelling of a.txt.');
  await visit.shot('review-own');
  await page.keyboard.press('Control+Enter');
  await turnsDone(page);
  expect(asked()).toContain('Only the spelling of a.txt.');
  stage.box.model.push({ events: [{ say: VERDICT }] });
  await composer(page).fill('/review the names in new.txt');
  await composer(page).press('Enter');
  await turnsDone(page, 2);
  expect(asked()).toContain('the names in new.txt');
  expect(await row(page, 'user').count()).toBe(0);
  expect(await composer(page).inputValue()).toBe('');
  expectClean(visit);
});

test('[PG342] outside a repository and while a turn runs the form says what cannot be reviewed', async () => {
  const { visit, page } = await stage.fresh({ cwd: stage.box.project });
  stage.box.model.push({ match: 'hold on', events: [{ gate: 'review-gate' }, { say: 'done' }] });
  await say(page, 'hold on');
  await button(page, 'Stop').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Review changes');
  await page.keyboard.press('Enter');
  await form(page).getByText('A turn is running. The review can start when it has ended.').waitFor();
  for (const name of [/^Uncommitted/, /^Changes since/, /^One commit/])
    expect(await form(page).getByRole('radio', { name }).isDisabled()).toBe(true);
  await form(page)
    .getByText(/not in the work tree of a git repository|in no work tree|ignored by the repository/)
    .waitFor();
  // The reason stands for all: nobody knows whether there is another branch.
  expect(
    await form(page)
      .getByText(/there (are|is) no/)
      .count(),
  ).toBe(0);
  await form(page).getByRole('textbox', { name: 'Your own instructions' }).fill('look');
  expect(await button(page, 'Start review').isDisabled()).toBe(true);
  await visit.shot('review-running');
  stage.box.model.release('review-gate');
  await eventually(() => button(page, 'Start review').isEnabled()).toBe(true);
  await page.keyboard.press('Escape');
  await eventually(() => form(page).count()).toBe(0);
  expect(await transcript(page).getByText('Review started').count()).toBe(0);
  expectClean(visit);
});
