/** How the page is laid out and how it comes: parts that are fetched later, the header, the drawer, panes beside each other. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, composer, eventually, expectClean, setStage } from './stage.ts';

const stage = setStage();

/** Holds the chunk of the later parts back, from the next load on. */
async function holdLater(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route(/\/assets\/later-[^/]+\.js$/, async (route) => {
    await released;
    return route.continue();
  });
  return release;
}

test('[PG220] text typed before the palette has arrived goes into it, not into the message box', async () => {
  const { visit, page } = await stage.fresh();
  const release = await holdLater(page);
  await visit.reload();
  await composer(page).click();
  await page.keyboard.press('Control+k');
  await eventually(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT');
  await page.keyboard.type('sett');
  await page.keyboard.press('Enter');
  release();
  const field = page.getByRole('combobox', { name: 'Commands and conversations' });
  await field.waitFor();
  expect(await field.inputValue()).toBe('sett');
  await page.keyboard.type('ings');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  expect(await composer(page).inputValue()).toBe('');
  expectClean(visit);
});

test('[PG220] find and shell mode take what was typed before they arrived', async () => {
  const { visit, page } = await stage.fresh();
  const release = await holdLater(page);
  await visit.reload();
  await composer(page).click();
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type('needle');
  release();
  await eventually(() => page.getByRole('searchbox', { name: 'Find in this conversation' }).inputValue()).toBe(
    'needle',
  );
  expect(await composer(page).inputValue()).toBe('');

  const releaseAgain = await holdLater(page);
  await visit.reload();
  await button(page, 'Shell mode').click();
  await page.keyboard.type('echo held');
  await page.keyboard.press('Enter');
  releaseAgain();
  await eventually(() => page.locator('textarea#composer').inputValue()).toBe('echo held');
  await page.keyboard.press('Escape');
  expect(await composer(page).inputValue()).toBe('');
  expectClean(visit);
});

test('[PG220] the page goes on when the later parts cannot be fetched, and says so where one is needed', async () => {
  const { visit, page } = await stage.fresh();
  await page.route(/\/assets\/later-[^/]+\.js$/, (route) => route.abort());
  await visit.reload();
  await composer(page).press('Control+k');
  await page.getByText(/This part of the page could not be shown/).waitFor();
  await composer(page).fill('still here');
  await button(page, 'Send').waitFor();
});

const LONG_TITLE = 'Find out why the parser loses the last line of files without a line feed at their end';

/** The parts of the header that are in sight: how much of each is cut, and whether it lies within the header. */
const READ_HEADER = `(() => {
  const header = document.querySelector('main > header');
  const { left, right } = header.getBoundingClientRect();
  const shown = [...header.querySelectorAll('[data-part], [data-title] > button')].filter(
    (one) => getComputedStyle(one).visibility === 'visible' && one.getBoundingClientRect().width > 0,
  );
  return shown.map((one) => {
    const box = one.getBoundingClientRect();
    return {
      name: one.dataset.part ?? 'title',
      width: Math.round(box.width),
      cut: one.scrollWidth - one.clientWidth,
      isInside: box.left >= left - 1 && box.right <= right + 1,
    };
  });
})()`;
interface ShownPart {
  readonly name: string;
  readonly width: number;
  readonly cut: number;
  readonly isInside: boolean;
}

/** Resolves to the names of what is in sight, once nothing of it is cut but a title that is longer than its room. */
async function expectWhole(page: Page, titleRoom = 230): Promise<readonly string[]> {
  const read = () => page.evaluate<readonly ShownPart[]>(READ_HEADER);
  const isCut = ({ name, width, cut, isInside }: ShownPart) =>
    !isInside || (cut > 0 && (name !== 'title' || width < titleRoom));
  await eventually(async () => (await read()).filter(isCut)).toEqual([]);
  return (await read()).map(({ name }) => name);
}

test('[PG221] nothing in the header is cut at 1280 px, with and without the drawer; what has no room is in one menu', async () => {
  const { id, visit, page } = await stage.fresh({}, { viewport: { width: 1600, height: 900 } });
  await stage.box.must('patchConversation', { id, label: LONG_TITLE });
  await page.getByRole('heading', { name: LONG_TITLE }).waitFor();
  await page.getByText('no network').waitFor();
  expect(await expectWhole(page)).toEqual(
    expect.arrayContaining(['model', 'effort', 'mode', 'sandbox', 'cwd', 'follow', 'details', 'panels', 'palette']),
  );
  expect(await page.locator('.lucide-arrow-down-to-line').count()).toBe(0);
  await visit.shot('header-1600');

  await page.setViewportSize({ width: 1280, height: 800 });
  const at1280 = await expectWhole(page);
  expect(at1280).toEqual(expect.arrayContaining(['model', 'effort', 'mode', 'menu']));
  await visit.shot('header-1280');

  await button(page, 'Terminal').first().click();
  await page.locator('[data-terminal]').waitFor();
  const beside = await expectWhole(page, 120);
  expect(beside).toContain('mode');
  expect(await page.getByRole('img', { name: 'no network' }).isVisible()).toBe(true);
  await visit.shot('header-1280-drawer');
  await button(page, 'More of this conversation').click();
  const menu = page.getByRole('menu', { name: 'More of this conversation' });
  await menu.getByRole('menuitem', { name: /^Model/ }).waitFor();
  await menu.getByRole('menuitem', { name: /^Working directory/ }).waitFor();
  await visit.shot('header-menu');
  await menu.getByRole('menuitem', { name: /^Model/ }).click();
  await page.getByRole('dialog', { name: 'Conversation settings' }).waitFor();
  expectClean(visit);
});

const drawer = (page: Page) => page.getByRole('region', { name: 'Drawer' });
const widthOf = async (part: Locator) => Math.round((await part.boundingBox())?.width ?? 0);

test('[PG222] at 820 px the drawer covers the conversation, which keeps its width', async () => {
  const { visit, page } = await stage.fresh({}, { viewport: { width: 820, height: 900 } });
  const before = await widthOf(page.locator('main'));
  await page.keyboard.press('Control+`');
  await drawer(page).waitFor();
  await page.locator('[data-terminal]').waitFor();
  expect(await widthOf(page.locator('main'))).toBe(before);
  expect(await widthOf(drawer(page))).toBe(520);
  await visit.shot('drawer-820');
  await page.setViewportSize({ width: 1280, height: 900 });
  await eventually(() => widthOf(page.locator('main'))).toBe(1280 - 264 - 520);
  expectClean(visit);
});

test('[PG223] the edge of the drawer is moved by mouse and keys, reset by a double click, and remembered', async () => {
  const { visit, page } = await stage.fresh({}, { viewport: { width: 1600, height: 900 } });
  await button(page, 'Board').first().click();
  const edge = drawer(page).getByRole('separator');
  expect(await edge.getAttribute('aria-valuenow')).toBe('520');
  await edge.focus();
  await page.keyboard.press('ArrowLeft');
  expect(await edge.getAttribute('aria-valuenow')).toBe('544');
  expect(await widthOf(drawer(page))).toBe(544);
  await page.keyboard.press('End');
  expect(await edge.getAttribute('aria-valuenow')).toBe(await edge.getAttribute('aria-valuemax'));
  expect(await widthOf(page.locator('main'))).toBeGreaterThanOrEqual(400);
  await edge.dblclick();
  expect(await edge.getAttribute('aria-valuenow')).toBe('520');
  const box = await edge.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 4, 400);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) - 96, 400);
  await page.mouse.up();
  await eventually(() => widthOf(drawer(page))).toBeGreaterThan(610);
  const chosen = await widthOf(drawer(page));
  await visit.reload();
  await eventually(() => widthOf(drawer(page))).toBe(chosen);
  expectClean(visit);
});

test('[PG224] the drawer shows a terminal and events at once; the edge between them moves by mouse and keys, and all is remembered', async () => {
  const { visit, page } = await stage.fresh({}, { viewport: { width: 1600, height: 900 } });
  const lower = page.getByRole('region', { name: 'Second panel' });
  const upperHeight = async () => (await page.locator('[data-terminal]').boundingBox())?.height ?? 0;
  await page.keyboard.press('Control+`');
  await page.locator('[data-terminal]').waitFor();
  const whole = await upperHeight();
  await button(page, 'Show a second panel below').click();
  await lower.getByRole('button', { name: 'Events', pressed: true }).waitFor();
  await lower.getByText('No events').waitFor();
  expect(await upperHeight()).toBeLessThan(0.65 * whole);
  await visit.shot('split-1600');

  const edge = lower.getByRole('separator', { name: 'Height of the upper panel' });
  expect(await edge.getAttribute('aria-valuenow')).toBe('55');
  await edge.focus();
  await page.keyboard.press('ArrowDown');
  expect(await edge.getAttribute('aria-valuenow')).toBe('60');
  const box = await edge.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 4);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 100, 270);
  await page.mouse.up();
  await eventually(() => edge.getAttribute('aria-valuenow')).toBe('30');
  await edge.dblclick();
  expect(await edge.getAttribute('aria-valuenow')).toBe('55');

  await lower.getByRole('button', { name: 'Board' }).click();
  await visit.reload();
  await lower.getByRole('button', { name: 'Board', pressed: true }).waitFor();
  await page.locator('[data-terminal]').waitFor();
  // Opened by its tab above, the lower panel comes up and the terminal takes its place.
  await page.getByRole('region', { name: 'Drawer' }).getByRole('button', { name: 'Board' }).first().click();
  await lower.locator('[data-terminal]').waitFor();
  await visit.shot('split-swapped');
  await button(page, 'Close the second panel').click();
  expect(await page.locator('[data-terminal]').count()).toBe(0);
  expectClean(visit);
});
