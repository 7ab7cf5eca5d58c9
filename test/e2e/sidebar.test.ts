/** The list of conversations: its order, what it tells of each, its width, and the keys that go through it. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  begin,
  button,
  composer,
  DESKTOP,
  dock,
  eventually,
  expectClean,
  row,
  say,
  script,
  setStage,
  turnsDone,
} from './stage.ts';

const stage = setStage();

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Conversations' });
const links = (page: Page) => sidebar(page).getByRole('link');
/** Names in the order of the list. */
const names = async (page: Page, wanted: readonly string[]) =>
  (await links(page).allInnerTexts()).flatMap((text) => wanted.find((name) => text.startsWith(name)) ?? []);

/** A conversation with an answer nobody has seen. */
async function answered(label: string, cwd = stage.box.project): Promise<string> {
  const id = await stage.box.create({ label, cwd, approval: 'never' });
  const watcher = await stage.box.watch(id);
  await stage.box.must('sendMessage', {
    conversation_id: id,
    text: script(stage.box, [{ say: `answer in ${label}` }]),
  });
  await watcher.turnEnd();
  watcher.close();
  return id;
}

test('[PG131] only what is said moves a conversation; what waits is on top', async () => {
  const ids = [await answered('older one'), await answered('middle one'), await answered('newer one')];
  const wanted = ['older one', 'middle one', 'newer one', 'renamed one'];
  const visit = await stage.open();
  const { page } = visit;
  await eventually(() => names(page, wanted)).toEqual(['newer one', 'middle one', 'older one']);
  // Read.
  await links(page).filter({ hasText: 'older one' }).click();
  await row(page, 'assistant').getByText('answer in older one').waitFor();
  await eventually(async () => (await stage.box.must('readConversation', { id: ids[0] ?? '' })).row.unread).toBe(0);
  // Renamed, pinned and unpinned.
  await stage.box.must('patchConversation', { id: ids[1] ?? '', label: 'renamed one' });
  await stage.box.must('patchConversation', { id: ids[0] ?? '', pinned: true });
  await stage.box.must('patchConversation', { id: ids[0] ?? '', pinned: false });
  await eventually(() => names(page, wanted)).toEqual(['newer one', 'renamed one', 'older one']);
  // Something is said.
  await say(page, 'and more');
  await eventually(() => names(page, wanted)).toEqual(['older one', 'newer one', 'renamed one']);
  // Something waits.
  await stage.box.must('patchConversation', { id: ids[1] ?? '', approval: 'untrusted' });
  const run = { call: 'exec_command', args: { cmd: 'touch x', login: false } };
  await stage.box.must('sendMessage', {
    conversation_id: ids[1] ?? '',
    text: script(stage.box, [run], [{ say: 'ok' }]),
  });
  await sidebar(page).getByRole('heading', { name: 'Waiting for you' }).waitFor();
  await eventually(() => names(page, wanted)).toEqual(['renamed one', 'older one', 'newer one']);
  await visit.shot('sidebar-order');
  // [PG134] By key.
  await composer(page).focus();
  await page.keyboard.press('Alt+w');
  await page.getByRole('heading', { level: 1, name: 'renamed one' }).waitFor();
  await dock(page).getByRole('button', { name: 'Decline', exact: true }).click();
  await turnsDone(page, 2);
  expectClean(visit);
});

test('[PG132] unread answers are counted, forks say what they are forks of, and the whole name is told', async () => {
  const long = `a name that is much longer than the list is wide ${'and longer '.repeat(8)}`.trim();
  const id = await answered(long);
  await stage.box.must('sendMessage', { conversation_id: id, text: script(stage.box, [{ say: 'second' }]) });
  // The answer is counted before its turn has ended, and a fork waits for no turn.
  const rowNow = async () => (await stage.box.must('readConversation', { id })).row;
  await eventually(async () => [(await rowNow()).unread, (await rowNow()).state]).toEqual([2, 'idle']);
  await stage.box.must('forkConversation', { id });
  const visit = await stage.open();
  const { page } = visit;
  const one = links(page).filter({ hasText: long }).filter({ hasText: '2 new answers' });
  await one.waitFor();
  expect(await one.getAttribute('title')).toContain(long);
  const fork = links(page).filter({ has: page.getByRole('img', { name: `Fork of ${long}` }) });
  expect(await fork.count()).toBe(1);
  await visit.shot('sidebar-counts');
  const weight = `getComputedStyle(document.querySelector('a[href="#/c/${id}"]')).fontWeight`;
  expect(await page.evaluate(weight)).toBe('600');
  await one.click();
  await row(page, 'assistant').getByText('second').waitFor();
  await eventually(() => links(page).filter({ hasText: long }).filter({ hasText: 'new answer' }).count()).toBe(0);
  expectClean(visit);
});

test('[PG133] projects fold and have a +; the list is as wide as one likes, by mouse and keys, and remembers it', async () => {
  const other = join(stage.box.project, 'other');
  await mkdir(other, { recursive: true });
  await stage.box.create({ label: 'elsewhere', cwd: other });
  const visit = await stage.open();
  const { page } = visit;
  await links(page).filter({ hasText: 'elsewhere' }).waitFor();
  await sidebar(page).getByRole('button', { name: 'other', exact: true }).click();
  await links(page).filter({ hasText: 'elsewhere' }).waitFor({ state: 'detached' });
  await sidebar(page)
    .getByRole('button', { name: /^other 1 conversation/ })
    .waitFor();
  await button(page, 'New conversation in other').click();
  await eventually(() => page.getByRole('combobox', { name: 'Start in' }).inputValue()).toBe(other);
  const edge = page.getByRole('separator', { name: 'Width of the list' });
  const width = () => page.getByRole('complementary', { name: 'Conversations' }).evaluate((one) => one.clientWidth);
  const before = await width();
  await edge.focus();
  await page.keyboard.press('ArrowRight');
  await eventually(width).toBe(before + 24);
  const box = await edge.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 4, 300);
  await page.mouse.down();
  await page.mouse.move(400, 300);
  await page.mouse.up();
  await eventually(width).toBeGreaterThan(390);
  await visit.reload();
  expect(await width()).toBeGreaterThan(390);
  expect(await links(page).filter({ hasText: 'elsewhere' }).count()).toBe(0);
  await visit.shot('sidebar-wide');
  expectClean(visit);
});

test('[PG135] a key goes from message to message of one’s own', async () => {
  const { visit, page } = await begin(stage, { label: 'prompts' }, [{ say: 'words\n\n'.repeat(60) }]);
  await turnsDone(page);
  for (const [at, text] of ['second prompt', 'third prompt'].entries()) {
    stage.box.model.push({ match: text, events: [{ say: 'words\n\n'.repeat(60) }] });
    await say(page, text);
    await turnsDone(page, at + 2);
  }
  const inView = (text: string) =>
    eventually(async () => {
      const box = await row(page, 'user').getByText(text).boundingBox();
      return box !== null && box.y > 48 && box.y + box.height < DESKTOP.height;
    }).toBe(true);
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await inView('third prompt');
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await inView('second prompt');
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await inView('third prompt');
  expectClean(visit);
});
