/** What the message box offers: files behind `@`, commands behind `/`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { composer, eventually, expectClean, PHONE, row, setStage, turnsDone } from './stage.ts';

const stage = setStage();
beforeAll(async () => {
  const { project } = stage.box;
  await mkdir(join(project, 'parser/deep'), { recursive: true });
  for (const name of ['parser/lexer.ts', 'parser/deep/grammar.ts', 'README.md', 'with space.md'])
    await writeFile(join(project, name), '');
});

const options = (page: Page, group: string) =>
  page.getByRole('listbox').getByRole('group', { name: group }).getByRole('option');
const token = (page: Page) => page.locator('form mark');
const chosen = (page: Page) => page.getByRole('option', { selected: true });

test('[PG31] files and directories apart, by letters in their order; taken by keyboard, shown and deleted whole', async () => {
  const { visit, page } = await stage.fresh();
  await composer(page).pressSequentially('look at @prs');
  await eventually(() => options(page, 'Files').allInnerTexts()).toEqual([
    expect.stringContaining('lexer.ts'),
    expect.stringContaining('grammar.ts'),
  ]);
  expect(await options(page, 'Directories').count()).toBeGreaterThan(0);
  await visit.shot('mention');
  await page.setViewportSize(PHONE);
  await visit.shot('mention-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await composer(page).press('ArrowDown');
  await eventually(() => chosen(page).innerText()).toContain('grammar.ts');
  await composer(page).press('ArrowUp');
  await composer(page).press('Enter');
  await eventually(() => composer(page).inputValue()).toBe('look at @parser/lexer.ts ');
  expect(await token(page).allInnerTexts()).toEqual(['@parser/lexer.ts']);
  await composer(page).press('Backspace');
  await eventually(() => composer(page).inputValue()).toBe('look at ');
  expect(await token(page).count()).toBe(0);
  await composer(page).press('Control+z');
  await eventually(() => composer(page).inputValue()).toBe('look at @parser/lexer.ts ');
  expectClean(visit);
});

test('[PG31] a path with a space is quoted; Escape closes the list and keeps the text; a click takes one', async () => {
  const { page } = await stage.fresh();
  await composer(page).pressSequentially('@space');
  await options(page, 'Files').filter({ hasText: 'with space.md' }).first().click();
  await eventually(() => composer(page).inputValue()).toBe('@"with space.md" ');
  expect(await page.evaluate('document.activeElement?.id')).toBe('composer');
  await composer(page).pressSequentially('@READ');
  await options(page, 'Files').first().waitFor();
  await composer(page).press('Escape');
  await eventually(() => page.getByRole('listbox').count()).toBe(0);
  expect(await composer(page).inputValue()).toBe('@"with space.md" @READ');
  await composer(page).press('Enter');
  await turnsDone(page);
  await row(page, 'user').getByText('@"with space.md" @READ').waitFor();
});

test('[PG31] on the home page files are those of the directory to start in', async () => {
  const { page } = await stage.open();
  await page.getByRole('combobox', { name: 'Start in' }).fill(join(stage.box.project, 'parser'));
  await page.keyboard.press('Escape');
  await composer(page).pressSequentially('@gram');
  await eventually(() => options(page, 'Files').allInnerTexts()).toEqual([expect.stringContaining('grammar.ts')]);
  await composer(page).press('Tab');
  await eventually(() => composer(page).inputValue()).toBe('@deep/grammar.ts ');
});

test('[PG32] commands by name, with choices behind some; what is no command is sent as text', async () => {
  const { id, visit, page } = await stage.fresh({ label: 'before' });
  await composer(page).pressSequentially('/');
  await eventually(() => options(page, 'Commands').count()).toBeGreaterThan(8);
  await visit.shot('slash');
  await composer(page).pressSequentially('mod');
  await composer(page).press('Enter');
  await eventually(() => composer(page).inputValue()).toBe('/model ');
  await composer(page).fill('/rename after');
  await composer(page).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'after' }).waitFor();
  await eventually(() => composer(page).inputValue()).toBe('');
  await composer(page).pressSequentially('/approvals never');
  await eventually(() => options(page, 'Commands').count()).toBe(1);
  await composer(page).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Never ask' }).click();
  await eventually(async () => (await stage.box.must('readConversation', { id })).conversation.approval).toBe('never');
  await page.locator('header').getByText('Never asks').first().waitFor();
  await composer(page).pressSequentially('/markdown');
  await composer(page).press('Enter');
  await eventually(async () => (await stage.box.must('readConversation', { id })).conversation.markdown).toBe(false);
  await composer(page).fill('/usr/bin is a directory');
  await composer(page).press('Enter');
  await row(page, 'user').getByText('/usr/bin is a directory').waitFor();
  await turnsDone(page);
  await composer(page).pressSequentially('/new');
  await composer(page).press('Enter');
  await page.getByRole('combobox', { name: 'Start in' }).waitFor();
  expectClean(visit);
});

test('[PG410] a command without its choice is never sent to Codex: /rename opens the form, a choice that does not exist says so', async () => {
  const { id, visit, page } = await stage.fresh({ label: 'before' });
  await composer(page).pressSequentially('/rename ');
  await options(page, 'Commands').getByText('Give this conversation a name').waitFor();
  await visit.shot('slash-rename');
  await composer(page).press('Enter');
  const name = page.getByRole('dialog', { name: 'Rename' }).getByRole('textbox');
  await name.fill('from the form');
  await name.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'from the form' }).waitFor();
  await composer(page).fill('/model nonsuch');
  await options(page, 'Commands').getByText('No such choice').waitFor();
  await composer(page).press('Enter');
  await eventually(() => composer(page).inputValue()).toBe('/model ');
  expect(await options(page, 'Commands').count()).toBeGreaterThan(0);
  expect((await stage.box.must('readConversation', { id })).conversation.thread_id).toBeNull();
  expect(await row(page, 'user').count()).toBe(0);
  expectClean(visit);
});
