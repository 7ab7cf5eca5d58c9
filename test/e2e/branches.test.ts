/** Ways back and aside: fork, edit from here, archive, threads of other programs, and choosing a directory. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, button, composer, eventually, expectClean, row, say, script, setStage, turnsDone } from './stage.ts';

const stage = setStage();

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Conversations' });
const item = (page: Page, name: string) => sidebar(page).getByRole('link', { name });

async function twoTurns() {
  const begun = await begin(stage, {}, [{ say: 'answer one' }]);
  await turnsDone(begun.page);
  await say(begun.page, 'second question');
  await turnsDone(begun.page, 2);
  return begun;
}

test('[PG37] a fork shares the past up to its turn and goes its own way', async () => {
  const { visit, page, word, id } = await twoTurns();
  await row(page, 'user').first().hover();
  await row(page, 'user').first().getByRole('button', { name: 'Fork from here' }).click();
  await eventually(async () => page.url()).not.toContain(id);
  await row(page, 'user').getByText(`do ${word}`).waitFor();
  await eventually(() => row(page, 'user').count()).toBe(1);
  await say(page, 'another way');
  await row(page, 'assistant').getByText('scripted: another way').waitFor();
  const sent = await stage.box.model.waitForRequest(({ userText }) => userText.includes('another way'));
  expect(sent.rawBody).toContain('answer one');
  expect(sent.rawBody).not.toContain('second question');
  await visit.go(id);
  expect(await row(page, 'user').count()).toBe(2);
  expectClean(visit);
});

test('[PG37] edit from here: the turn is forgotten, its text is in the box again, and the transcript says so', async () => {
  const { visit, page } = await twoTurns();
  await row(page, 'user').nth(1).hover();
  await row(page, 'user').nth(1).getByRole('button', { name: 'Edit from here' }).click();
  await eventually(() => composer(page).inputValue()).toBe('second question');
  expect(await page.evaluate('document.activeElement?.id')).toBe('composer');
  await row(page, 'note').getByText('Reverted').waitFor();
  await visit.shot('edit-from-here');
  await composer(page).fill('a better question');
  await composer(page).press('Enter');
  await row(page, 'assistant').getByText('scripted: a better question').waitFor();
  const sent = await stage.box.model.waitForRequest(({ userText }) => userText.includes('a better question'));
  expect(sent.rawBody).toContain('answer one');
  expect(sent.rawBody).not.toContain('second question');
  expectClean(visit);
});

test('[PG37] while a turn runs neither can be done, and each says why', async () => {
  const { page } = await begin(stage, {}, [{ say: 'at it', phase: 'commentary' }, { gate: 'branch' }, { say: 'done' }]);
  await row(page, 'assistant').getByText('at it').waitFor();
  const edit = row(page, 'user').getByRole('button', { name: 'Edit from here' });
  await eventually(() => edit.isDisabled()).toBe(true);
  expect(await edit.getAttribute('title')).toBe('Stop the running turn first.');
  stage.box.model.release('branch');
  await turnsDone(page);
  await eventually(() => edit.isDisabled()).toBe(false);
});

test('[PG38] what was archived is found in its list, can be read, goes on, and comes back', async () => {
  const { visit, page } = await stage.fresh({ label: 'put away' });
  await say(page, script(stage.box, [{ say: 'kept' }]));
  await turnsDone(page);
  await item(page, 'put away').hover();
  await button(page, 'Actions for put away').click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await item(page, 'put away').waitFor({ state: 'detached' });
  await sidebar(page).getByRole('button', { name: 'Archived' }).click();
  await item(page, 'put away').waitFor();
  await visit.shot('archived');
  await item(page, 'put away').click();
  await row(page, 'assistant').getByText('kept').waitFor();
  await item(page, 'put away').hover();
  await button(page, 'Actions for put away').click();
  await page.getByRole('menuitem', { name: 'Take out of the archive' }).click();
  await eventually(() => sidebar(page).getByText('Nothing is archived.').count()).toBe(1);
  await item(page, 'put away').waitFor();
  await button(page, 'Undo').last().click();
  await eventually(() => sidebar(page).getByText('Nothing is archived.').count()).toBe(0);
  // Who speaks in it wants it back.
  await say(page, 'into the archive');
  await row(page, 'assistant').getByText('scripted: into the archive').waitFor();
  await eventually(() => sidebar(page).getByText('Nothing is archived.').count()).toBe(1);
  expectClean(visit);
});

test('[PG38] a thread that another program left in Codex’s home is in the list, opens with its past and goes on', async () => {
  const { visit, page, word, id } = await begin(stage, {}, [{ say: 'said elsewhere' }]);
  await turnsDone(page);
  await visit.close();
  // What is left of it is Codex's own file, as if we had never seen it.
  await stage.box.kill();
  await rm(join(stage.box.home, 'conversations', id), { recursive: true });
  await stage.box.restart();
  const again = await stage.open();
  await item(again.page, `do ${word}`).click();
  await row(again.page, 'assistant').getByText('said elsewhere').waitFor();
  expect(await row(again.page, 'user').allInnerTexts()).toEqual([expect.stringContaining(`do ${word}`)]);
  await say(again.page, 'go on');
  await row(again.page, 'assistant').getByText('scripted: go on').waitFor();
  const sent = await stage.box.model.waitForRequest(({ userText }) => userText.includes('go on'));
  expect(sent.rawBody).toContain('said elsewhere');
  expectClean(again);
});

test('[PG39] a directory is chosen by typing or from those used before; only directories are offered', async () => {
  const { project } = stage.box;
  for (const name of ['alpha', 'alphabet', 'beta']) await mkdir(join(project, 'dirs', name), { recursive: true });
  const { id, visit, page } = await stage.fresh();
  await button(page, 'Conversation settings').click();
  const box = page.getByRole('combobox', { name: 'Working directory' });
  const offered = page.getByRole('listbox', { name: 'Working directory' }).getByRole('option');
  await box.click();
  await box.fill(`${project}/dirs/al`);
  await eventually(() => offered.allInnerTexts()).toEqual(['alpha', 'alphabet']);
  await visit.shot('directories');
  await box.press('ArrowDown');
  await box.press('ArrowDown');
  await box.press('Enter');
  await eventually(() => box.inputValue()).toBe(join(project, 'dirs/alphabet'));
  await button(page, 'Change directory').click();
  await eventually(async () => (await stage.box.must('readConversation', { id })).conversation.cwd).toBe(
    join(project, 'dirs/alphabet'),
  );
  await box.fill('/does/not/exist');
  await button(page, 'Change directory').click();
  await page.getByText(/\/does\/not\/exist does not exist/).waitFor();
  expect(await box.inputValue()).toBe('/does/not/exist');
  await page.keyboard.press('Escape');
  expectClean({ ...visit, problems: { ...visit.problems, console: [] } });
});
