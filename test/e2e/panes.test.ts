/** Two conversations side by side: what each has of its own, and what acts on the one with the focus. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESKTOP, PHONE } from '../../src/testing/browser.ts';
import { button, composer, eventually, expectClean, freePort, script, setStage } from './stage.ts';

const stage = setStage(async () => ({ flags: ['--port', String(await freePort())] }));
const WIDE = { width: 1500, height: 900 };
const NARROW = { width: 1200, height: 800 };

const first = (page: Page): Locator => page.getByRole('main');
const beside = (page: Page): Locator => page.getByRole('region', { name: /^Beside: / });
const box = (pane: Locator): Locator => pane.getByRole('textbox', { name: 'Message', exact: true });
const rowOf = (page: Page, label: string): Locator =>
  page.getByRole('complementary').getByRole('link', { name: new RegExp(label) });
const hasFocus = (place: Locator) => eventually(() => place.evaluate((one) => one.matches(':focus')));
const widthOf = (place: Locator) => place.evaluate((one) => Math.round(one.getBoundingClientRect().width));

async function say(pane: Locator, text: string): Promise<void> {
  await box(pane).fill(text);
  await box(pane).press('Enter');
}

/** Two conversations with names, the first one open, and the second one beside it. */
async function openTwo(names: readonly [string, string], settings = {}) {
  const id = await stage.box.create({ label: names[0], ...settings });
  const other = await stage.box.create({ label: names[1], ...settings });
  const visit = await stage.open({ conversationId: id, viewport: WIDE });
  const { page } = visit;
  await rowOf(page, names[1]).waitFor();
  await button(page, `Actions for ${names[1]}`).click();
  await page.getByRole('menuitem', { name: 'Open beside' }).click();
  await box(beside(page)).waitFor();
  return { id, other, visit, page };
}

test('[PG370][PG371] each of two conversations has its own transcript, message box, Stop and ribbon', async () => {
  const { visit, page, id } = await openTwo(['north', 'south']);
  await hasFocus(box(beside(page))).toBe(true);
  const south = script(stage.box, [{ say: 'south begins' }, { gate: 'south' }, { say: ' and ends' }]);
  const north = script(stage.box, [{ say: 'north answers' }]);
  await say(beside(page), `go ${south}`);
  await beside(page).getByText('south begins').waitFor();
  await beside(page).getByRole('button', { name: 'Stop' }).waitFor();
  await say(first(page), `go ${north}`);
  await first(page).getByText('north answers').waitFor();
  await first(page).getByText('Last turn done').waitFor();
  expect(await first(page).getByText('south begins').count()).toBe(0);
  expect(await beside(page).getByText('north answers').count()).toBe(0);
  expect(new URL(page.url()).hash).toBe(`#/c/${id}`);
  await visit.shot('panes-running');
  await beside(page).getByRole('button', { name: 'Stop' }).click();
  await beside(page).getByText('Stopped', { exact: false }).first().waitFor();
  stage.box.model.release('south');
  expectClean(visit);
});

test('[PG372] the conversation with the focus is marked, gets the keys, the drawer and the mark in the list', async () => {
  const { visit, page } = await openTwo(['east', 'west']);
  await expect.poll(() => rowOf(page, 'west').getAttribute('aria-current')).toBe('page');
  await page.keyboard.press('Alt+b');
  await hasFocus(box(first(page))).toBe(true);
  expect(await first(page).getAttribute('data-focused')).toBe('');
  expect(await rowOf(page, 'east').getAttribute('aria-current')).toBe('page');
  await page.keyboard.press('Control+Shift+f');
  await first(page).getByRole('search').waitFor();
  expect(await beside(page).getByRole('search').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+b');
  await hasFocus(box(beside(page))).toBe(true);
  await page.keyboard.press('Control+Shift+`');
  await beside(page)
    .getByRole('textbox', { name: /shell|command/i })
    .waitFor();
  await box(first(page)).waitFor();
  await visit.shot('panes-focused');
  expectClean(visit);
});

test('[PG372] the drawer and the dialogs are those of the conversation with the focus', async () => {
  await writeFile(join(stage.box.project, 'beside-notes.txt'), 'words of the notes\n');
  const { visit, page } = await openTwo(['upper', 'lower']);
  const told = script(stage.box, [{ say: 'See `beside-notes.txt`.' }]);
  await say(beside(page), `go ${told}`);
  await beside(page).getByText('beside-notes.txt').click();
  const drawer = page.getByRole('region', { name: 'Drawer' });
  await drawer.getByText('words of the notes').waitFor();
  await visit.shot('panes-file');
  await page.keyboard.press('Alt+b');
  await drawer.waitFor({ state: 'detached' });
  await page.keyboard.press('Alt+b');
  await drawer.getByText('words of the notes').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('rename');
  await page.keyboard.press('Enter');
  await eventually(() => page.getByRole('dialog').getByRole('textbox').inputValue()).toBe('lower');
  await page.keyboard.press('Escape');
  expectClean(visit);
});

test('[PG373] a request is answered by key in the conversation with the focus, and only there', async () => {
  const ask = { approval: 'untrusted', sandbox: 'workspace-write' };
  const { visit, page } = await openTwo(['alpha', 'omega'], ask);
  const run = (cmd: string) => ({ call: 'exec_command', args: { cmd, login: false } }) as const;
  const one = script(stage.box, [run('touch alpha.txt')], [{ say: 'alpha is done' }]);
  const two = script(stage.box, [run('touch omega.txt')], [{ say: 'omega is done' }]);
  await say(beside(page), `go ${two}`);
  await say(first(page), `go ${one}`);
  const asked = (pane: Locator) => pane.getByRole('region', { name: 'Codex asks' });
  await asked(beside(page)).waitFor();
  await asked(first(page)).waitFor();
  await visit.shot('panes-asked');
  await page.keyboard.press('Alt+y');
  await first(page).getByText('alpha is done').waitFor();
  await asked(beside(page)).waitFor();
  await page.keyboard.press('Alt+b');
  await page.keyboard.press('Alt+n');
  await asked(beside(page)).waitFor({ state: 'detached' });
  await beside(page).getByText('omega is done').waitFor();
  expectClean(visit);
});

test('[PG371] both go on where they were after the server was killed', async () => {
  const { page } = await openTwo(['survivor', 'witness']);
  const one = script(stage.box, [{ say: 'one begins' }, { gate: 'both' }, { say: 'one has ended' }]);
  const two = script(stage.box, [{ say: 'two begins' }, { gate: 'both' }, { say: 'two has ended' }]);
  await say(beside(page), `go ${two}`);
  await say(first(page), `go ${one}`);
  await beside(page).getByText('two begins').waitFor();
  await first(page).getByText('one begins').waitFor();
  await stage.box.restart();
  stage.box.model.release('both');
  await beside(page).getByText('two has ended').waitFor();
  await first(page).getByText('one has ended').waitFor();
  expect(await beside(page).getByText('one has ended').count()).toBe(0);
});

test('[PG374] the same conversation is never shown twice: it gets the focus', async () => {
  const { page, other, id } = await openTwo(['once', 'twice']);
  await rowOf(page, 'once').click();
  await hasFocus(box(first(page))).toBe(true);
  await rowOf(page, 'twice').click();
  await hasFocus(box(beside(page))).toBe(true);
  expect(new URL(page.url()).hash).toBe(`#/c/${id}`);
  await page.evaluate(`location.hash = '#/c/${other}'`);
  await eventually(async () => new URL(page.url()).hash).toBe(`#/c/${id}`);
  expect(await composer(page).count()).toBe(2);
});

test('[PG375] a row that is pressed opens in the conversation with the focus; one key closes the second', async () => {
  const third = await stage.box.create({ label: 'third' });
  const { page, id } = await openTwo(['left', 'right']);
  await rowOf(page, 'third').click();
  await page.getByRole('region', { name: 'Beside: third' }).waitFor();
  await hasFocus(box(beside(page))).toBe(true);
  expect(new URL(page.url()).hash).toBe(`#/c/${id}`);
  await page.keyboard.press('Alt+Shift+b');
  await beside(page).waitFor({ state: 'detached' });
  await hasFocus(composer(page)).toBe(true);
  await rowOf(page, 'third').click({ modifiers: ['Alt'] });
  await page.getByRole('region', { name: 'Beside: third' }).waitFor();
  expect(third).toMatch(/^conv_/);
});

test('[PG376] the second survives a reload in this tab, and not in another one', async () => {
  const { visit, page, id } = await openTwo(['stays', 'stays too']);
  await visit.reload();
  await page.getByRole('region', { name: 'Beside: stays too' }).waitFor();
  await eventually(() => composer(page).count()).toBe(2);
  const another = await stage.open({ conversationId: id, viewport: WIDE });
  await composer(another.page).waitFor();
  expect(await beside(another.page).count()).toBe(0);
});

test('[PG377] the edge between them moves by pointer and keys; a narrow window and a phone show one', async () => {
  const { visit, page } = await openTwo(['thin', 'thick']);
  const edge = page.getByRole('separator', { name: 'Width of the conversation beside' });
  const half = await widthOf(beside(page));
  expect(Math.abs(half - (await widthOf(first(page))))).toBeLessThan(3);
  await edge.focus();
  await page.keyboard.press('ArrowLeft');
  await eventually(() => widthOf(beside(page))).toBe(half + 24);
  await page.keyboard.press('Home');
  await eventually(() => widthOf(beside(page))).toBe(400);
  await page.keyboard.press('End');
  await eventually(() => widthOf(first(page))).toBe(400);
  await visit.shot('panes-edge');
  await page.keyboard.press('Enter');
  await eventually(() => widthOf(beside(page))).toBe(half);
  await first(page).getByRole('button', { name: 'Drawer' }).click();
  await page.getByRole('region', { name: 'Drawer' }).waitFor();
  for (const pane of [first(page), beside(page)]) await eventually(async () => (await widthOf(pane)) >= 400).toBe(true);
  await visit.shot('panes-drawer');
  await button(page, 'Close the drawer').click();
  await page.setViewportSize(NARROW);
  await beside(page).waitFor({ state: 'detached' });
  await composer(page).waitFor();
  await page.setViewportSize(PHONE);
  expect(await composer(page).count()).toBe(1);
  await page.setViewportSize(WIDE);
  await box(beside(page)).waitFor();
  await page.setViewportSize(DESKTOP);
  expectClean(visit);
});

test('[PG374][PG377] in a window too narrow for two, the second conversation opens as the only one', async () => {
  const { page, other } = await openTwo(['near', 'far']);
  await page.setViewportSize(NARROW);
  await beside(page).waitFor({ state: 'detached' });
  await rowOf(page, 'far').click();
  await eventually(async () => new URL(page.url()).hash).toBe(`#/c/${other}`);
  await page.setViewportSize(WIDE);
  await composer(page).waitFor();
  expect(await beside(page).count()).toBe(0);
  await rowOf(page, 'near').click();
  await page.goBack();
  await eventually(async () => new URL(page.url()).hash).toBe(`#/c/${other}`);
});

test('[PG29] two conversations: axe finds nothing serious or critical, light or dark', async () => {
  const { visit, page } = await openTwo(['sun', 'moon']);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe.source);
    const found = await page.evaluate<readonly string[]>(`axe.run().then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ' ' + nodes[0].html))`);
    expect(found).toEqual([]);
    await visit.shot(`panes-${colorScheme}`);
  }
});

test('[PG378] a second conversation that is deleted closes', async () => {
  const { page, other } = await openTwo(['keeper', 'goner']);
  await stage.box.must('deleteConversation', { id: other });
  await beside(page).waitFor({ state: 'detached' });
  await box(first(page)).waitFor();
});
