/** Calling for a person: title, icon, notice and sound when nobody looks; and what a screen reader is told. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventFor, openTarget, post } from '../api/events-stand.ts';
import { begin, button, dock, eventually, expectClean, row, setStage, turnsDone } from './stage.ts';

const stage = setStage();

/** A page that can be looked away from, and that writes down its notices and tones. */
const PROBE = `
window.__away = false;
document.hasFocus = () => !window.__away;
window.__notices = [];
window.__tones = 0;
window.Notification = class {
  static permission = 'default';
  static requestPermission() { this.permission = 'granted'; return Promise.resolve('granted'); }
  constructor(title, options) { window.__notices.push(title + ': ' + options.body); }
  close() {}
};
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...args) { window.__tones += 1; return start.apply(this, args); };
`;
const away = (page: Page, isAway: boolean) =>
  page.evaluate(`(() => {
  window.__away = ${isAway};
  if (!window.__away) dispatchEvent(new Event('focus'));
})()`);
const notices = (page: Page) => page.evaluate<string[]>('window.__notices');
/** Nothing runs or waits as far as the list knows; it hears of the end of a turn after the transcript. */
const calm = (page: Page) => eventually(() => icon(page)).toContain('%238b93a1');
const icon = (page: Page) => page.locator('link[rel="icon"]').getAttribute('href');

const run = (cmd: string) => ({ call: 'exec_command', args: { cmd, login: false } });
async function asking(label: string) {
  const fresh = await stage.fresh({ approval: 'untrusted', label }, { probe: PROBE });
  return {
    ...fresh,
    ask: async () => {
      const word = `w${Date.now()}`;
      stage.box.model.push({ match: word, events: [run('touch asked')] }, { match: word, events: [{ say: 'done' }] });
      await stage.box.must('sendMessage', { conversation_id: fresh.id, text: word });
    },
  };
}

test('[PG47] nothing is asked before it would have been of use; then once, and from then on there is a notice with a sound', async () => {
  const { visit, page, ask } = await asking('noticed');
  await ask();
  await dock(page).waitFor();
  // In view: nothing is offered.
  await button(page, 'Decline').click();
  await turnsDone(page);
  expect(await page.getByText('Be told next time?').count()).toBe(0);

  await calm(page);
  await away(page, true);
  await ask();
  await dock(page).waitFor();
  expect(await notices(page)).toEqual([]);
  await away(page, false);
  await page.getByText('Codex worked while you were away. Be told next time?').waitFor();
  await visit.shot('notify-offer');
  await button(page, 'Notify me').click();
  await button(page, 'Decline').click();
  await turnsDone(page, 2);

  await calm(page);
  await away(page, true);
  await ask();
  await eventually(() => notices(page)).toEqual([expect.stringMatching(/^Signalbox: Waiting for you: .*touch asked/)]);
  expect(await page.evaluate('window.__tones')).toBe(2);
  await away(page, false);
  await button(page, 'Decline').click();
  await turnsDone(page, 3);

  await button(page, 'Settings').click();
  await page.getByRole('checkbox', { name: 'With a short sound' }).uncheck();
  await page.getByRole('checkbox', { name: /^Notify me in this browser/ }).uncheck();
  await page.keyboard.press('Escape');
  await calm(page);
  await away(page, true);
  await ask();
  await dock(page).waitFor();
  await eventually(() => page.title()).toMatch(/^\(1\)/);
  expect(await notices(page)).toHaveLength(1);
  await away(page, false);
  expect(await page.getByText('Be told next time?').count()).toBe(0);
  expectClean(visit);
});

test('[PG138] a critical event is told while nobody looks; others are only counted', async () => {
  const target = await openTarget(stage.box, { label: 'alarmed' });
  const visit = await stage.open({ probe: PROBE });
  const { page } = visit;
  await page.evaluate(`Notification.requestPermission()`);
  await page.evaluate(`localStorage.setItem('signalbox.device', JSON.stringify({ notify: true }))`);
  await visit.reload();
  await page.evaluate(`Notification.requestPermission()`);
  const publish = (severity: string) =>
    post(stage.box, eventFor(target.threadId, { severity, title: `a ${severity} thing` }));
  await publish('critical');
  await page
    .getByRole('link', { name: /alarmed/ })
    .getByText('1 unread event')
    .waitFor({ state: 'attached' });
  await away(page, true);
  await publish('error');
  await publish('critical');
  await eventually(() => notices(page)).toEqual(['Signalbox: alarmed: a critical thing']);
});

test('[PG28] the icon carries the count of what waits, and the lamp of what runs', async () => {
  const { page, ask } = await asking('badge');
  const idle = await icon(page);
  await ask();
  await dock(page).waitFor();
  await eventually(() => icon(page)).toMatch(/>\d<\/text>/);
  await dock(page).getByRole('button', { name: 'Decline', exact: true }).click();
  await turnsDone(page);
  expect(idle).toMatch(/^data:image\/svg\+xml,/);
});

test('[PG48] a screen reader hears finished text once, and a request once; never each delta', async () => {
  const visit = await stage.open({
    conversationId: await stage.box.create({ approval: 'untrusted' }),
    probe: `
window.__heard = [];
addEventListener('DOMContentLoaded', () => new MutationObserver((all) => {
  for (const { target } of all) {
    const element = target.nodeType === 1 ? target : target.parentElement;
    const region = element?.closest('[aria-live], [role="status"], [role="alert"], [role="log"]');
    if (region && region.textContent !== '') window.__heard.push(region.textContent);
  }
}).observe(document, { subtree: true, childList: true, characterData: true }));`,
  });
  const { page } = visit;
  const word = 'speechword';
  stage.box.model.push(
    {
      match: word,
      events: [{ say: 'first part of the answer. '.repeat(10), chunk: 4, phase: 'commentary' }, run('touch heard')],
    },
    { match: word, events: [{ say: 'the end of it', chunk: 2 }] },
  );
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(word);
  await page.keyboard.press('Enter');
  await dock(page).waitFor();
  await dock(page).getByRole('button', { name: 'Allow once' }).click();
  await turnsDone(page);
  await row(page, 'assistant').getByText('the end of it').waitFor();
  await eventually(() => page.evaluate<string[]>('window.__heard')).toContainEqual(expect.stringContaining('Done'));
  const heard = await page.evaluate<string[]>('window.__heard');
  expect(heard.filter((one) => one.includes('touch heard'))).toHaveLength(1);
  expect(heard.filter((one) => one.includes('the end of it')).length).toBeLessThanOrEqual(2);
  expect(heard.length).toBeLessThan(12);
});

test('[PG12] what was answered elsewhere says so on the page that still asks', async () => {
  const { visit, page, id } = await begin(
    stage,
    { approval: 'untrusted', label: 'elsewhere' },
    [run('touch else')],
    [{ say: 'ok' }],
  );
  const phone = await stage.open({ conversationId: id, viewport: { width: 390, height: 844 }, isTouch: true });
  await Promise.all([dock(page).waitFor(), dock(phone.page).waitFor()]);
  await phone.shot('dock-phone');
  await dock(phone.page).getByRole('button', { name: 'Allow once' }).tap();
  await eventually(() => dock(page).count()).toBe(0);
  await row(page, 'approval').getByText('Allowed').waitFor();
  await turnsDone(page);
  await turnsDone(phone.page);
  expectClean(visit, phone);
});
