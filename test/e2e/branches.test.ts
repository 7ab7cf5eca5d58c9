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

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

async function editFrom(page: Page, at: number) {
  await row(page, 'user').nth(at).hover();
  await row(page, 'user').nth(at).getByRole('button', { name: 'More for this message' }).click();
  await page.getByRole('menuitem', { name: 'Edit from here' }).click();
}

test('[PG37] [PG125] edit from here says what sending will do, and forgets nothing before', async () => {
  const { visit, page, id } = await twoTurns();
  await stage.box.must('sendMessage', {
    conversation_id: id,
    text: 'third question',
    images: [{ kind: 'url', value: PIXEL }],
  });
  await turnsDone(page, 3);
  await composer(page).fill('half a thought');
  await editFrom(page, 2);
  await eventually(() => composer(page).inputValue()).toBe('third question');
  expect(await page.locator('form').getByRole('img').count()).toBe(1);
  await button(page, 'Forget nothing').click();
  expect(await composer(page).inputValue()).toBe('half a thought');
  expect(await page.locator('form').getByRole('img').count()).toBe(0);
  await editFrom(page, 1);
  await page.getByText(/Codex forget this turn and the next/).waitFor();
  await visit.shot('edit-from-here');
  await composer(page).press('Escape');
  expect(await composer(page).inputValue()).toBe('half a thought');
  expect((await stage.box.entries(id)).filter((entry) => entry.role === 'note')).toEqual([]);
  expectClean(visit);
});

test('[PG37] [PG126] after an edit the forgotten turns are folded, can be read, and live on in an archived copy', async () => {
  const { visit, page } = await twoTurns();
  await editFrom(page, 1);
  await eventually(() => composer(page).inputValue()).toBe('second question');
  expect(await page.evaluate('document.activeElement?.id')).toBe('composer');
  await composer(page).fill('a better question');
  await composer(page).press('Enter');
  await row(page, 'assistant').getByText('scripted: a better question').waitFor();
  const sent = await stage.box.model.waitForRequest(({ userText }) => userText.includes('a better question'));
  expect(sent.rawBody).toContain('answer one');
  expect(sent.rawBody).not.toContain('second question');
  const note = row(page, 'note');
  await note.getByText('1 turn forgotten').waitFor();
  await eventually(() => row(page, 'user').count()).toBe(2);
  expect(await page.getByText('second question').count()).toBe(0);
  await visit.shot('forgotten-folded');
  await note.getByRole('button', { name: 'Show' }).click();
  await row(page, 'user').getByText('second question').waitFor();
  await visit.shot('forgotten-shown');
  await visit.reload();
  expect(await page.getByText('second question').count()).toBe(0);
  await note.getByRole('button', { name: 'Open the copy that has them' }).click();
  await page.getByRole('heading', { level: 1, name: /before an edit/ }).waitFor();
  await row(page, 'user').getByText('second question').waitFor();
  await say(page, 'continue there');
  await row(page, 'assistant').getByText('scripted: continue there').waitFor();
  const there = await stage.box.model.waitForRequest(({ userText }) => userText.includes('continue there'));
  expect(there.rawBody).toContain('second question');
  expectClean(visit);
});

test('[PG37] while a turn runs neither can be done, and each says why', async () => {
  const { page } = await begin(stage, {}, [{ say: 'at it', phase: 'commentary' }, { gate: 'branch' }, { say: 'done' }]);
  await row(page, 'assistant').getByText('at it').waitFor();
  const fork = row(page, 'user').getByRole('button', { name: 'Fork from here' });
  await eventually(() => fork.isDisabled()).toBe(true);
  expect(await fork.getAttribute('title')).toBe('Stop the running turn first.');
  await row(page, 'user').getByRole('button', { name: 'More for this message' }).click();
  const edit = page.getByRole('menuitem', { name: 'Edit from here' });
  await edit.getByText('Stop the running turn first.').waitFor();
  expect(await edit.isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  stage.box.model.release('branch');
  await turnsDone(page);
  await eventually(() => fork.isDisabled()).toBe(false);
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
