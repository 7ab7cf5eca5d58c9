/** Finding: in a conversation however long, across all of them, and with the browser's own search. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { composer, eventually, expectClean, PHONE, row, setStage, sideways, transcript } from './stage.ts';
import { ordinaryPast, writeTranscripts } from './write-transcript.ts';

const stage = setStage();
let long = '';
let other = '';
beforeAll(async () => {
  const entries = ordinaryPast(2_000);
  entries[40] = { role: 'user', text: 'where is the needle of old', turn_id: 'turn-10', item_id: 'item-40' };
  entries[1_990] = { role: 'note', text: 'a needle of late', kind: 'api' };
  [long = '', other = ''] = await writeTranscripts(stage.box, entries, [
    { role: 'user', text: 'a haystack elsewhere' },
    { role: 'assistant', text: 'with a Needle in it', status: 'completed' },
    {
      role: 'command',
      command: 'make',
      cwd: '/',
      output: `${'line\n'.repeat(30)}Quarry one\n${'line\n'.repeat(30)}the QUARRY two\n${'line\n'.repeat(25)}`,
      exit_code: 0,
      duration_ms: 1,
      status: 'completed',
      actions: [],
      turn_id: 'turn-9',
      item_id: 'item-9',
    },
    {
      role: 'assistant',
      text: 'a quarry and a quarry',
      status: 'completed',
      turn_id: 'turn-9',
      item_id: 'item-10',
    },
    { role: 'status', status: 'success', turn_status: 'completed', duration_ms: 1, turn_id: 'turn-9' },
  ]);
  await stage.box.must('patchConversation', { id: other, label: 'the other one' });
});

const bar = (page: Page) => page.getByRole('search');
const field = (page: Page) => bar(page).getByRole('searchbox');
const isInView = (page: Page, text: string) =>
  transcript(page)
    .getByText(text)
    .evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top >= 0 && bottom <= 800;
    });

test('[PG35] in a conversation: all of it, newest first; each hit is brought into view, and End goes back', async () => {
  const visit = await stage.open({ conversationId: long });
  const { page } = visit;
  await page.keyboard.press('Control+Shift+f');
  await field(page).fill('needle of');
  await bar(page).getByText('2', { exact: true }).waitFor();
  await visit.shot('find');
  await page.keyboard.press('Enter');
  await bar(page).getByText('1 of 2').waitFor();
  await eventually(() => isInView(page, 'a needle of late')).toBe(true);
  await page.keyboard.press('Enter');
  await bar(page).getByText('2 of 2').waitFor();
  await row(page, 'user').getByText('where is the needle of old').waitFor();
  await eventually(() => isInView(page, 'where is the needle of old')).toBe(true);
  await page.setViewportSize(PHONE);
  expect(await sideways(page)).toEqual([]);
  await visit.shot('find-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await field(page).fill('no such words');
  await bar(page).getByText('Nothing found.').waitFor();
  await page.keyboard.press('Escape');
  await eventually(() => bar(page).count()).toBe(0);
  expect(await page.evaluate('document.activeElement?.id')).toBe('composer');
  await transcript(page).focus();
  await page.keyboard.press('End');
  await eventually(() => row(page, 'assistant').last().innerText()).toContain('answer 1998');
  expectClean(visit);
});

test('[PG36] across conversations: by name at once, then what was said, with the name of each', async () => {
  const visit = await stage.open();
  const { page } = visit;
  const list = page.getByRole('navigation', { name: 'Conversations' });
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('other');
  await list.getByRole('link', { name: 'the other one' }).waitFor();
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('needle of old');
  const hit = list.getByRole('button', { name: /where is the needle of old/ });
  await hit.waitFor();
  await visit.shot('find-everywhere');
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('needle in it');
  await list.getByRole('button', { name: /the other one[\s\S]*with a Needle in it/ }).waitFor();
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('needle of old');
  await hit.click();
  await eventually(async () => page.url()).toContain(long);
  await eventually(() => isInView(page, 'where is the needle of old')).toBe(true);
  expectClean(visit);
});

test('[PG35] the browser’s own search finds what is mounted: nothing of it is hidden from Ctrl F', async () => {
  const { page } = await stage.open({ conversationId: long });
  await composer(page).evaluate((box) => box.blur());
  // A row above what is in view, but within the window.
  const isPrevented = await page.evaluate(
    `!document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true, cancelable: true }))`,
  );
  expect(isPrevented).toBe(false);
  expect(await page.evaluate(`window.find('needle of late', false, true, true)`)).toBe(true);
  expect(await page.evaluate('String(getSelection())')).toBe('needle of late');
});

const marked = (page: Page, name: string) =>
  page.evaluate<string[]>(`[...(CSS.highlights.get('${name}') ?? [])].map((range) => range.toString())`);
const isWordInView = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const [range] = CSS.highlights.get('found-current') ?? [];
    if (range === undefined) return false;
    const word = range.getBoundingClientRect();
    const box = document.querySelector('[data-scroll-root]').getBoundingClientRect();
    const seen = document.elementFromPoint(word.left + 2, word.top + 2);
    return word.top >= box.top && word.bottom <= box.bottom && seen !== null && range.startContainer.parentElement.contains(seen);
  })()`);

test('[PG172] every occurrence is highlighted and counted, and each is scrolled to, also inside folded cards', async () => {
  const visit = await stage.open({ conversationId: other });
  const { page } = visit;
  await page.keyboard.press('Control+Shift+f');
  await field(page).fill('quarry');
  await bar(page).getByText('4', { exact: true }).waitFor();
  await eventually(() => marked(page, 'found')).toEqual(['quarry', 'quarry']);
  for (const [at, word] of ['quarry', 'quarry', 'Quarry', 'QUARRY'].entries()) {
    await field(page).press('Enter');
    await bar(page)
      .getByText(`${at + 1} of 4`)
      .waitFor();
    await eventually(() => marked(page, 'found-current')).toEqual([word]);
    await eventually(() => isWordInView(page)).toBe(true);
  }
  expect((await marked(page, 'found')).length).toBe(4);
  await visit.shot('find-words');
  await page.keyboard.press('Escape');
  expect(await marked(page, 'found')).toEqual([]);
  expectClean(visit);
});

test('[PG172] from the search in the list: the word is highlighted where it leads, however far', async () => {
  const visit = await stage.open({ conversationId: other });
  const { page } = visit;
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('needle of old');
  await page.getByRole('button', { name: /where is the needle of old/ }).click();
  await eventually(() => marked(page, 'found-current')).toEqual(['needle of old']);
  await eventually(() => isWordInView(page)).toBe(true);
  await bar(page).getByText('1 of 1').waitFor();
  expectClean(visit);
});

test('[PG412] a closed search gives a conversation that is wholly in view its end back', async () => {
  const [short = ''] = await writeTranscripts(stage.box, [
    { role: 'user', text: 'a short question' },
    { role: 'assistant', text: 'a short answer', status: 'completed' },
  ]);
  const { page } = await stage.open({ conversationId: short });
  await row(page, 'assistant').getByText('a short answer').waitFor();
  await page.keyboard.press('Control+Shift+f');
  await field(page).fill('short');
  await bar(page).getByText('2', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await bar(page).getByText('1 of 2').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Following the end', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'To the end', exact: true }).count()).toBe(0);
});

test('[PG413] a hit in the list shows the found words and its time on one line, without codes of colors', async () => {
  const [id = ''] = await writeTranscripts(stage.box, [
    { role: 'assistant', text: `${'many words that come before '.repeat(4)}zebracrossing`, status: 'completed' },
    {
      role: 'command',
      command: 'git status',
      cwd: '/',
      output: `${'some output that comes before '.repeat(3)}\u001b[31mzebracrossing\u001b[m\n`,
      exit_code: 0,
      duration_ms: 1,
      status: 'completed',
      actions: [],
      turn_id: 'turn-z',
      item_id: 'item-z',
    },
  ]);
  const visit = await stage.open({ conversationId: id });
  const list = visit.page.getByRole('complementary', { name: 'Conversations' });
  await visit.page.getByRole('searchbox', { name: 'Search conversations' }).fill('zebracrossing');
  const marks = list.locator('mark');
  await eventually(() => marks.count()).toBe(2);
  await visit.shot('find-in-list');
  const shown = await marks.evaluateAll((all) =>
    all.map(
      (one) => one.getBoundingClientRect().bottom <= (one.parentElement?.getBoundingClientRect().bottom ?? 0) + 1,
    ),
  );
  expect(shown).toEqual([true, true]);
  expect(await list.innerText()).not.toContain('U+001B');
  const heights = await list.locator('time').evaluateAll((all) => all.map((one) => one.getClientRects().length));
  expect(new Set(heights)).toEqual(new Set([1]));
});
