/** The list of conversations: names, pins, archive, trash; and pages that agree. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  button,
  composer,
  dock,
  eventually,
  expectClean,
  PHONE,
  readRows,
  say,
  script,
  setStage,
  turnsDone,
} from './stage.ts';

const stage = setStage();

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Conversations' });
const item = (page: Page, name: string) => sidebar(page).getByRole('link', { name });
async function act(page: Page, name: string, what: string): Promise<void> {
  await item(page, name).hover();
  await button(page, `Actions for ${name}`).click();
  await page.getByRole('menuitem', { name: what }).click();
}

test('[PG26] rename, pin, archive and delete, each with its way back, on two pages at once', async () => {
  const id = await stage.box.create({ label: 'one' });
  await stage.box.create({ label: 'two' });
  const [visit, other] = [await stage.open({ conversationId: id }), await stage.open()];
  const { page } = visit;
  await act(page, 'one', 'Rename');
  await page.getByRole('textbox', { name: 'Rename' }).fill('first');
  await page.keyboard.press('Enter');
  await item(other.page, 'first').waitFor();
  await page.getByRole('heading', { level: 1, name: 'first' }).waitFor();
  await act(page, 'first', 'Pin to top');
  await sidebar(other.page).getByRole('heading', { name: 'Pinned' }).waitFor();
  await visit.shot('sidebar');
  await act(page, 'first', 'Archive');
  await item(other.page, 'first').waitFor({ state: 'detached' });
  await button(page, 'Undo').click();
  await item(other.page, 'first').waitFor();
  await act(page, 'first', 'Delete');
  await item(other.page, 'first').waitFor({ state: 'detached' });
  await page.getByText('Deleted. For a day it is below Archived.').waitFor();
  await visit.shot('deleted');
  await button(page, 'Undo').click();
  await item(page, 'first').waitFor();
  await page.getByRole('heading', { level: 1, name: 'first' }).waitFor();
  expectClean(visit, other);
});

test('[PG417] what was deleted is listed below the archive and restored from there, long after the notice', async () => {
  const id = await stage.box.create({ label: 'thrown away' });
  await stage.box.must('deleteConversation', { id });
  const visit = await stage.open();
  const { page } = visit;
  await sidebar(page).getByRole('button', { name: 'Archived, deleted' }).click();
  const trash = sidebar(page).getByRole('region', { name: 'Deleted' });
  await trash.getByText('thrown away').waitFor();
  await visit.shot('trash');
  await trash.getByRole('button', { name: 'Restore thrown away' }).click();
  await page.getByRole('heading', { level: 1, name: 'thrown away' }).waitFor();
  await item(page, 'thrown away').waitFor();
  await trash.getByText('thrown away').waitFor({ state: 'detached' });
  const { conversations } = await stage.box.must('listDeleted', {});
  expect(conversations.map((row) => row.id)).not.toContain(id);
  expectClean(visit);
});

test('[PG26] a conversation brought back from the trash comes back on every page', async () => {
  const id = await stage.box.create({ label: 'restored' });
  const visit = await stage.open();
  await item(visit.page, 'restored').waitFor();
  await stage.box.must('deleteConversation', { id });
  await item(visit.page, 'restored').waitFor({ state: 'detached' });
  await stage.box.must('restoreConversation', { id });
  await item(visit.page, 'restored').waitFor();
});

test('[PG27] two pages show the same rows while a turn runs, and after it', async () => {
  const id = await stage.box.create();
  const [visit, other] = [
    await stage.open({ conversationId: id }),
    await stage.open({ conversationId: id, viewport: PHONE }),
  ];
  await say(visit.page, script(stage.box, [{ think: 'hm' }, { say: 'the same **everywhere**', chunk: 2 }]));
  await Promise.all([turnsDone(visit.page), turnsDone(other.page)]);
  await eventually(() => readRows(other.page)).toEqual(await readRows(visit.page));
});

test('[PG28] what waits elsewhere is counted in the title and in the list', async () => {
  const id = await stage.box.create({ label: 'asker', approval: 'untrusted' });
  const { page } = await stage.open();
  const run = { call: 'exec_command', args: { cmd: 'touch counted', login: false } };
  const word = script(stage.box, [{ gate: 'ask' }, run], [{ say: 'done' }]);
  await stage.box.must('sendMessage', { conversation_id: id, text: word });
  await item(page, 'asker').getByRole('img', { name: 'Running' }).waitFor();
  stage.box.model.release('ask');
  await eventually(() => page.title()).toMatch(/^\(1\)/);
  await item(page, 'asker').getByTitle('1 approval waits').waitFor();
  await item(page, 'asker').getByRole('img', { name: 'Waiting for you' }).waitFor();
  await item(page, 'asker').click();
  await dock(page).getByRole('button', { name: 'Decline', exact: true }).click();
  await turnsDone(page);
  await eventually(() => page.title()).not.toMatch(/^\(/);
});

test('[PG54] where Codex has a provider of its own nobody is asked to sign in, and the page starts where the server did', async () => {
  const visit = await stage.open();
  const { page } = visit;
  await expect.poll(() => page.getByRole('combobox', { name: 'Start in' }).inputValue()).toBe(stage.box.project);
  expect(await page.getByText('Demo model, not an AI').count()).toBe(0);
  await button(page, 'Settings').click();
  await page.getByText('A provider of your own').waitFor();
  await visit.shot('settings-own-provider');
});

test('[PG26] the list on a phone is a sheet that a choice closes', async () => {
  await stage.box.create({ label: 'chosen' });
  const visit = await stage.open({ viewport: PHONE, isTouch: true });
  const { page } = visit;
  await visit.shot('home-phone');
  await button(page, 'Show conversations').first().tap();
  await item(page, 'chosen').waitFor();
  await visit.shot('sidebar-phone');
  await item(page, 'chosen').tap();
  await page.getByRole('heading', { level: 1, name: 'chosen' }).waitFor();
  await composer(page).tap();
  expect(await composer(page).inputValue()).toBe('');
  expectClean(visit);
});
