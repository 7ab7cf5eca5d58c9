/** The page in a hand: the keyboard never covers the message, the dock is short, and nothing moves for those who want none of it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  begin,
  button,
  composer,
  dock,
  eventually,
  expectClean,
  PHONE,
  row,
  say,
  setStage,
  sideways,
  turnsDone,
} from './stage.ts';

const stage = setStage();

const phone = { viewport: PHONE, isTouch: true, colorScheme: 'light' } as const;
const bottomOf = async (page: Page) => {
  const box = await button(page, 'Send').boundingBox();
  return Math.round((box?.y ?? 0) + (box?.height ?? 0));
};

/** The keyboard of a phone: the visual viewport becomes lower, the window does not. */
const KEYBOARD = `
const listeners = new Set();
const viewport = {
  height: innerHeight, width: innerWidth, scale: 1, offsetTop: 0, offsetLeft: 0,
  addEventListener: (kind, listener) => kind === 'resize' && listeners.add(listener),
  removeEventListener: (kind, listener) => listeners.delete(listener),
};
Object.defineProperty(window, 'visualViewport', { value: viewport });
window.__keyboard = (height) => { viewport.height = innerHeight - height; for (const one of listeners) one(new Event('resize')); };
`;

test('[PG51] the keyboard never covers the message box, and the end of the transcript stays in view', async () => {
  const { visit, page } = await stage.fresh({}, { ...phone, probe: KEYBOARD });
  await composer(page).fill('write a lot');
  stage.box.model.push({ match: 'write a lot', events: [{ say: `${'many words\n\n'.repeat(60)}the last words` }] });
  await button(page, 'Send').tap();
  await turnsDone(page);
  const before = await bottomOf(page);
  expect(before).toBeLessThanOrEqual(PHONE.height);
  await page.evaluate('__keyboard(320)');
  await eventually(() => bottomOf(page)).toBeLessThanOrEqual(PHONE.height - 320);
  await visit.shot('phone-keyboard');
  const last = row(page, 'status').last();
  await eventually(async () => {
    const [line, send] = [await last.boundingBox(), await composer(page).boundingBox()];
    return (line?.y ?? 0) + (line?.height ?? 0) <= (send?.y ?? 0);
  }).toBe(true);
  await page.evaluate('__keyboard(0)');
  await eventually(() => bottomOf(page)).toBe(before);
  expect(await sideways(page)).toEqual([]);
  expectClean(visit);
});

test('[PG52] a request takes no more than three rows of buttons, each wide enough for a finger, and a time never wraps', async () => {
  const run = { call: 'exec_command', args: { cmd: 'touch narrow', login: false } };
  const { visit, page } = await stage.fresh({ approval: 'untrusted' }, phone);
  stage.box.model.push({ match: 'narrow please', events: [run] }, { match: 'narrow please', events: [{ say: 'ok' }] });
  await composer(page).fill('narrow please');
  await button(page, 'Send').tap();
  await dock(page).waitFor();
  await visit.shot('phone-dock-light');
  const boxes = await dock(page)
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  expect(new Set(boxes.map(({ top }) => Math.round(top))).size).toBeLessThanOrEqual(3);
  for (const { width, height } of boxes) expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  await dock(page).getByRole('button', { name: 'Decline', exact: true }).tap();
  await turnsDone(page);
  const time = row(page, 'user').locator('time');
  expect((await time.boundingBox())?.height).toBeLessThanOrEqual(22);
  await visit.shot('phone-actions');
  expect(await sideways(page)).toEqual([]);
  expectClean(visit);
});

test('[PG129] with the keyboard open a request still shows six lines of its command, and every button', async () => {
  const { visit, page } = await stage.fresh({ approval: 'untrusted' }, { ...phone, probe: KEYBOARD });
  const cmd = Array.from({ length: 20 }, (_none, at) => `echo step ${at}`).join('\n');
  stage.box.model.push({
    match: 'many steps',
    events: [{ call: 'exec_command', args: { cmd, login: false } }],
  });
  await composer(page).fill('many steps');
  await button(page, 'Send').tap();
  await dock(page).waitFor();
  await page.evaluate('__keyboard(336)');
  const body = dock(page).getByRole('region', { name: 'What is asked' });
  await eventually(async () => (await page.locator('html').getAttribute('data-keyboard')) !== null).toBe(true);
  const LINE_PX = 19;
  expect(await body.evaluate((box) => box.clientHeight)).toBeGreaterThanOrEqual(6 * LINE_PX);
  await visit.shot('phone-keyboard-request');
  const bottoms = await page
    .locator('main button:visible')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
  expect(Math.max(...bottoms)).toBeLessThanOrEqual(PHONE.height - 336);
  expect(await sideways(page)).toEqual([]);
  expectClean(visit);
});

test('[PG53] nothing moves for those who asked for that; for others the spinner does', async () => {
  const { page } = await begin(stage, {}, [{ say: 'on it', phase: 'commentary' }, { gate: 'still' }, { say: 'x' }]);
  await row(page, 'assistant').getByText('on it').waitFor();
  const moving = () =>
    page.evaluate<number>(`document.getAnimations().filter((one) => one.playState === 'running' &&
      one.effect.getComputedTiming().duration > 1).length`);
  expect(await moving()).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await eventually(moving).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await eventually(moving).toBe(0);
  stage.box.model.release('still');
  await turnsDone(page);
});

test('[PG27] two tabs and a phone agree, whoever speaks', async () => {
  const id = await stage.box.create({ label: 'shared' });
  const visits = await Promise.all([
    stage.open({ conversationId: id }),
    stage.open({ conversationId: id }),
    stage.open({ ...phone, conversationId: id }),
  ]);
  const [desk, other, hand] = visits;
  await say(desk.page, 'from the desk');
  await Promise.all(visits.map(({ page }) => turnsDone(page)));
  await composer(hand.page).fill('from the hand');
  await button(hand.page, 'Send').tap();
  await Promise.all(visits.map(({ page }) => turnsDone(page, 2)));
  const said = (page: Page) => row(page, 'assistant').allInnerTexts();
  const expected = [expect.stringContaining('from the desk'), expect.stringContaining('from the hand')];
  for (const { page } of visits) await eventually(() => said(page)).toEqual(expected);
  await other.page.getByRole('heading', { level: 1 }).getByRole('button').click();
  await other.page.keyboard.type('renamed');
  await other.page.keyboard.press('Enter');
  for (const { page } of visits) await page.getByRole('heading', { level: 1, name: 'renamed' }).waitFor();
  expectClean(...visits);
});

test('[PG24] while a turn runs every button of the message box is in view on a phone', async () => {
  const { visit, page } = await stage.fresh({}, phone);
  stage.box.model.push({
    match: 'run for a while',
    events: [{ say: 'at it', phase: 'commentary' }, { gate: 'wide' }, { say: 'done' }],
  });
  await composer(page).fill('run for a while');
  await button(page, 'Send').tap();
  await row(page, 'assistant').getByText('at it').waitFor();
  for (const name of ['Add images', 'Stop', 'Queue', 'Steer']) {
    const box = await button(page, name).boundingBox();
    expect([name, (box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 0) <= PHONE.width]).toEqual([name, true, true]);
  }
  await visit.shot('phone-running');
  stage.box.model.release('wide');
  await turnsDone(page);
  expectClean(visit);
});
