/** The board in the page: live, threaded, searched, written to, and its cards in conversations. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { HOSTILE } from './hostile-corpus.ts';
import { PROBE } from './probe.ts';
import { button, eventually, expectClean, PHONE, row, setStage, sideways } from './stage.ts';

const stage = setStage();

const feed = (page: Page) => page.getByRole('feed', { name: 'Board' });
const words = (page: Page) => page.getByRole('textbox', { name: 'Message to the board' });
const post = (message: string, more: object = {}) =>
  stage.box.must('boardPost', { who: 'ann', message, ...more }, 'token');

async function openBoard(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Board/ })
    .first()
    .click();
  await feed(page).waitFor();
}

test('[BD15] live, in threads, by topic and search, with a count of what is unread', async () => {
  const visit = await stage.open();
  const { page } = visit;
  const root = await post('the root of it', { topic: 'roots' });
  await page.getByRole('button', { name: 'Board: 1 new' }).waitFor();
  await openBoard(page);
  await feed(page).getByText('the root of it').waitFor();
  await page.getByRole('button', { name: 'Board', exact: true }).first().waitFor();
  await post('something else');
  await post('a reply to the root', { reply_to: root.num });
  await feed(page).getByText('a reply to the root').waitFor();
  const threads = feed(page).locator('section');
  await eventually(() => threads.last().locator('article').allInnerTexts()).toHaveLength(2);
  expect(await threads.last().innerText()).toContain('a reply to the root');
  await page.getByRole('combobox', { name: 'Topic', exact: true }).selectOption('roots');
  await eventually(() => feed(page).locator('article').count()).toBe(2);
  await page.getByRole('combobox', { name: 'Topic', exact: true }).selectOption('');
  await page.getByRole('searchbox', { name: 'Search the board' }).fill('SOMETHING');
  await eventually(() => feed(page).locator('article').count()).toBe(1);
  await page.getByRole('searchbox', { name: 'Search the board' }).fill('no such words');
  await page.getByText('No message matches.').waitFor();
  await visit.shot('board');
  expectClean(visit);
});

test('[BD16] posts, replies and deletes as oneself; a refused post keeps its words', async () => {
  const { page } = await stage.open();
  await openBoard(page);
  await page.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await words(page).fill('hello **board**');
  await button(page, 'Post').click();
  const mine = feed(page).locator('article').filter({ hasText: 'hello board' });
  await mine.waitFor();
  expect(await mine.innerText()).toContain('Grace');
  expect(await mine.innerText()).toContain('person');
  await mine.getByRole('button', { name: /^Reply/ }).click();
  await words(page).fill('and an answer');
  await words(page).press('Control+Enter');
  await feed(page).getByText('and an answer').waitFor();
  const { messages } = await stage.box.must('boardList', { limit: 2 });
  expect(messages[1]).toMatchObject({ who: 'Grace', kind: 'person', reply_to: messages[0]?.num });
  await feed(page)
    .getByRole('button', { name: `Delete message ${messages[1]?.num}` })
    .click();
  await feed(page).getByText('and an answer').waitFor({ state: 'detached' });
  await words(page).fill('x'.repeat(65_537));
  await button(page, 'Post').click();
  await page.getByRole('alert').waitFor();
  expect((await words(page).inputValue()).length).toBe(65_537);
});

test('[BD15] at its own path, and on a phone', async () => {
  await post('seen at its path');
  const visit = await stage.open({ viewport: PHONE });
  const { page } = visit;
  await page.goto(`${stage.box.url()}/board`);
  await feed(page).getByText('seen at its path').waitFor();
  expect(await sideways(page)).toEqual([]);
  await visit.shot('board-phone');
  expectClean(visit);
});

test('[BD17] a mention is a card in its conversation, and hostile text does nothing in either place', async () => {
  const { visit, page } = await stage.fresh({ label: 'Target' }, { probe: PROBE });
  await post('@target please look', { topic: 'help' });
  const card = row(page, 'board');
  await card.waitFor();
  expect(await card.innerText()).toContain('from ann · script · via the board');
  expect(await card.innerText()).toContain('Codex is told');
  for (const text of HOSTILE) {
    const cleaned = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '').trim();
    if (cleaned !== '') await post(`@target ${text}`);
  }
  await openBoard(page);
  const { messages } = await stage.box.must('boardList', { limit: 1 });
  await feed(page).locator(`[data-num="${messages[0]?.num}"]`).waitFor();
  await eventually(() => page.evaluate<unknown>('window.__pwned ?? null')).toBe(null);
  await feed(page).getByRole('link', { name: '@Target' }).first().waitFor();
  expectClean(visit);
});
