/** The page for a new conversation: where it begins, with what, and what the project remembers of it. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE } from '../../src/testing/browser.ts';
import { button, composer, eventually, expectClean, row, say, script, setStage, sideways, turnsDone } from './stage.ts';

const stage = setStage();

const place = (page: Page) => page.getByRole('combobox', { name: 'Start in' });
const options = (page: Page) => page.getByRole('region', { name: 'Settings of the new conversation' });
const menu = (page: Page, name: string) => options(page).getByRole('button', { name: new RegExp(`^${name}`) });
const projects = (page: Page) => page.getByRole('list', { name: 'Recent projects' }).getByRole('button');

async function pick(page: Page, name: string, choice: string | RegExp): Promise<void> {
  await menu(page, name).click();
  await page.getByRole('menuitemradio', { name: choice }).click();
}

async function workIn(page: Page, cwd: string): Promise<void> {
  await place(page).fill(cwd);
  await place(page).press('Enter');
}

async function makeProject(name: string): Promise<string> {
  const path = join(stage.box.project, name);
  await mkdir(path, { recursive: true });
  return path;
}

async function begun(page: Page, word: string) {
  await row(page, 'assistant').getByText('done').waitFor();
  await turnsDone(page);
  const id = /conv_[0-9a-f]{32}/.exec(page.url())?.[0] ?? '';
  expect(await row(page, 'user').innerText()).toContain(word);
  return (await stage.box.must('readConversation', { id })).conversation;
}

test('[PG200] a new conversation begins in the project of the one that was open, by button, key and address', async () => {
  const cwd = await makeProject('opened');
  await stage.box.must('writeConfig', { cwd: stage.box.project });
  const { id, visit, page } = await stage.fresh({ cwd });
  await page.getByRole('complementary').getByRole('button', { name: 'New conversation', exact: true }).click();
  await eventually(() => place(page).inputValue()).toBe(cwd);
  await visit.go(id);
  await page.evaluate("location.hash = '#/'");
  await eventually(() => place(page).inputValue()).toBe(cwd);
  await stage.box.must('writeConfig', { cwd: null });
  expectClean(visit);
});

test('[PG201] recent projects are one press away, in the place of the words for a first visit', async () => {
  const [older, newer] = [await makeProject('older'), await makeProject('newer')];
  await stage.box.create({ cwd: older });
  await stage.box.create({ cwd: newer });
  const visit = await stage.open();
  const { page } = visit;
  await eventually(() => projects(page).first().innerText()).toContain('newer');
  expect(await page.getByText('Signalbox runs Codex on your machine').count()).toBe(0);
  await projects(page).filter({ hasText: 'older' }).click();
  await eventually(() => place(page).inputValue()).toBe(older);
  expect(await projects(page).filter({ hasText: 'older' }).getAttribute('aria-pressed')).toBe('true');
  await page.keyboard.type('typed at once');
  expect(await composer(page).inputValue()).toBe('typed at once');
  await visit.shot('new-conversation');
  await page.setViewportSize(PHONE);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('new-conversation-phone');
  expectClean(visit);
});

test('[PG202] [PG203] model, effort, approvals and plan mode are chosen before the first message, and the project remembers all but plan mode', async () => {
  const cwd = await makeProject('chosen');
  const { models } = await stage.box.must('models', {});
  const other = models.find((one) => !one.is_default && one.efforts.length > 1);
  if (other === undefined) throw new Error('Codex lists one model only: this test proves nothing');
  const effort = other.efforts.find((one) => one.effort !== other.default_effort)?.effort ?? '';
  const visit = await stage.open();
  const { page } = visit;
  await workIn(page, cwd);
  await pick(page, 'Model', new RegExp(`^${other.name}`));
  await pick(page, 'Reasoning effort', new RegExp(`^${effort}`));
  await pick(page, 'Approvals and sandbox', /^Ask for everything/);
  await pick(page, 'Approvals and sandbox', /^Plan first/);
  expect(await page.getByRole('checkbox', { name: 'Remember for this project' }).isChecked()).toBe(true);
  await visit.shot('new-conversation-chosen');
  const word = script(stage.box, [{ say: 'done' }]);
  await say(page, word);
  const settings = { model: other.id, reasoning_effort: effort, approval: 'untrusted', sandbox: 'workspace-write' };
  expect(await begun(page, word)).toMatchObject({ ...settings, cwd, mode: 'plan' });
  const asked = await stage.box.model.waitForRequest(({ userText }) => userText.includes(word));
  expect(JSON.parse(asked.rawBody)).toMatchObject({ model: other.id, reasoning: { effort } });

  // Another browser.
  const again = await stage.open();
  await workIn(again.page, cwd);
  await eventually(() => menu(again.page, 'Model').innerText()).toContain(other.name);
  await eventually(() => menu(again.page, 'Approvals and sandbox').innerText()).toContain('Asks for everything');
  expect(await menu(again.page, 'Approvals and sandbox').innerText()).not.toContain('plans first');
  await again.page.getByText('Remembered for this project.').waitFor();
  await workIn(again.page, stage.box.project);
  await eventually(() => menu(again.page, 'Approvals and sandbox').innerText()).toContain('Asks outside sandbox');
  await workIn(again.page, cwd);
  await button(again.page, 'Use the general settings').click();
  await eventually(() => menu(again.page, 'Approvals and sandbox').innerText()).toContain('Asks outside sandbox');
  expect((await stage.box.must('startSettings', { cwd })).remembered).toEqual([]);
  expectClean(visit, again);
});

test('[PG204] never ask is confirmed, is remembered only if asked for, and is dropped with the directory', async () => {
  const [cwd, other] = [await makeProject('loose'), await makeProject('strict')];
  const visit = await stage.open();
  const { page } = visit;
  await workIn(page, cwd);
  await pick(page, 'Approvals and sandbox', /^Never ask/);
  const box = page.getByRole('checkbox', { name: 'Remember for this project' });
  expect(await box.isChecked()).toBe(false);
  await box.check();
  // Another directory: nothing that was chosen for the first one is left.
  await workIn(page, other);
  await eventually(() => menu(page, 'Approvals and sandbox').innerText()).toContain('Asks outside sandbox');
  await workIn(page, cwd);
  await pick(page, 'Approvals and sandbox', /^Never ask/);
  await box.check();
  const word = script(stage.box, [{ say: 'done' }]);
  await say(page, word);
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText(`New conversations in ${cwd} start with it too.`).waitFor();
  await visit.shot('new-conversation-confirm');
  await dialog.getByRole('button', { name: 'Never ask' }).click();
  expect(await begun(page, word)).toMatchObject({ cwd, approval: 'never' });
  expect((await stage.box.must('startSettings', { cwd })).remembered).toEqual(['approval']);
  expect((await stage.box.must('startSettings', { cwd: other })).approval).toBe('on-request');
});

test('[PG205] ~ works in the directory field', async () => {
  const cwd = await makeProject('tilde');
  const visit = await stage.open();
  const { page } = visit;
  await workIn(page, '~/project/tilde/');
  const word = script(stage.box, [{ say: 'done' }]);
  await say(page, word);
  expect(await begun(page, word)).toMatchObject({ cwd });
  expectClean(visit);
});
