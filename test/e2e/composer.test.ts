/** Where a person writes: send, steer, queue, stop, drafts, history; and a whole conversation without a mouse. */
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
  PHONE,
  row,
  say,
  script,
  setStage,
  turnsDone,
} from './stage.ts';

const stage = setStage();

const held = (gate: string) => [
  { say: 'words before', phase: 'commentary' as const },
  { gate },
  { say: 'words after' },
];
const queued = (page: Page) => page.getByRole('region', { name: /queued/ }).getByRole('listitem');

test('[PG21] while a turn runs: steer joins it, queue waits for it, and the queue can be edited', async () => {
  const { visit, page } = await begin(stage, {}, held('busy'));
  await row(page, 'assistant').getByText('words before').waitFor();
  for (const [name, hint] of [
    ['Stop', /Ends the running turn/],
    ['Queue', /Waits until/],
    ['Steer', /running turn at once/],
  ] as const) {
    expect(await button(page, name).getAttribute('title')).toMatch(hint);
  }
  await composer(page).fill('later one');
  await button(page, 'Queue').click();
  await composer(page).fill('later two');
  await composer(page).press('Control+Enter');
  await eventually(() => queued(page).count()).toBe(2);
  await queued(page).nth(1).getByRole('button', { name: 'Move up' }).click();
  await eventually(() => queued(page).first().innerText()).toContain('later two');
  await queued(page).nth(1).getByRole('button', { name: 'Edit' }).click();
  await queued(page).nth(1).getByRole('textbox').fill('later edited');
  await queued(page).nth(1).getByRole('button', { name: 'Save' }).click();
  await queued(page).nth(1).getByText('later edited').waitFor();
  await visit.shot('queue');
  await page.setViewportSize(PHONE);
  await visit.shot('queue-phone');
  await page.setViewportSize(DESKTOP);
  await composer(page).fill('turn left now');
  stage.box.model.push({ match: 'turn left now', events: [{ say: 'turning' }] });
  await button(page, 'Steer').click();
  // Only once it has arrived: a turn that ends first cannot be steered.
  await row(page, 'user').getByText('turn left now').waitFor();
  stage.box.model.release('busy');
  await turnsDone(page, 3);
  expect(await row(page, 'user').allInnerTexts()).toEqual([
    expect.stringContaining('do m'),
    expect.stringContaining('turn left now'),
    expect.stringContaining('later two'),
    expect.stringContaining('later edited'),
  ]);
  await eventually(() => queued(page).count()).toBe(0);
  expectClean(visit);
});

test('[PG21] [PG416] stop pauses the queue, and Go on sends it and leaves the focus in the message box', async () => {
  const { visit, page } = await begin(stage, {}, held('stopping'));
  await row(page, 'assistant').getByText('words before').waitFor();
  await composer(page).fill('after the stop');
  await button(page, 'Queue').click();
  await eventually(() => queued(page).count()).toBe(1);
  await composer(page).press('Escape');
  await composer(page).press('Escape');
  await turnsDone(page);
  await page.getByText('Paused because you stopped the turn').waitFor();
  await visit.shot('queue-paused');
  await button(page, 'Go on').click();
  await turnsDone(page, 2);
  expect(await composer(page).evaluate((one) => one.matches(':focus'))).toBe(true);
  await row(page, 'user').getByText('after the stop').waitFor();
});

test('[PG206] a queued message has Send now: it goes into the running turn and leaves the queue', async () => {
  const word = script(stage.box, [{ gate: 'now' }, { say: 'first' }], [{ say: 'heard both' }]);
  const { visit, page } = await stage.fresh();
  await say(page, word);
  await button(page, 'Stop').waitFor();
  for (const text of ['can wait', 'cannot wait']) {
    await composer(page).fill(text);
    await composer(page).press('Control+Enter');
  }
  await eventually(() => queued(page).count()).toBe(2);
  await visit.shot('queue-now');
  await queued(page).filter({ hasText: 'cannot wait' }).getByRole('button', { name: 'Send now' }).click();
  await row(page, 'user').getByText('cannot wait').waitFor();
  await eventually(() => queued(page).count()).toBe(1);
  expect(await queued(page).innerText()).toContain('can wait');
  stage.box.model.release('now');
  await turnsDone(page, 2);
  expect(await row(page, 'user').count()).toBe(3);
  expectClean(visit);
});

test('[PG22] a draft is kept per conversation over a reload, and ↑ brings back what was said', async () => {
  const { visit, page } = await begin(stage, {}, [{ say: 'first answer' }]);
  await turnsDone(page);
  await say(page, 'second thing');
  await turnsDone(page, 2);
  await composer(page).press('ArrowUp');
  expect(await composer(page).inputValue()).toBe('second thing');
  await composer(page).press('ArrowUp');
  expect(await composer(page).inputValue()).toMatch(/^do m/);
  await composer(page).press('ArrowDown');
  await composer(page).press('ArrowDown');
  expect(await composer(page).inputValue()).toBe('');
  await composer(page).fill('half a thought\nin two lines');
  await visit.reload();
  expect(await composer(page).inputValue()).toBe('half a thought\nin two lines');
  await page.goto(`${stage.box.url()}/#/`);
  await button(page, 'Send').waitFor();
  await eventually(() => composer(page).inputValue()).toBe('');
});

test('[PG23] [CT24] a message that cannot be sent says why and stays in the box; what is invisible in it is said', async () => {
  const { visit, page } = await stage.fresh();
  await page.route('**/messages', (route) =>
    route.fulfill({ status: 503, json: { ok: false, code: 'codex_unavailable', message: 'Codex is away.' } }),
  );
  await say(page, 'do not lose me');
  await page.getByRole('alert').getByText('Codex is away.').waitFor();
  expect(await composer(page).inputValue()).toBe('do not lose me');
  await visit.shot('not-sent');
  // Before anything is sent: what cannot be seen is said, and can be removed.
  await composer(page).fill('pasted \u{e0072}\u{e0075}\u{e006e}text 👩‍💻');
  await page.getByText('3 invisible characters').waitFor();
  await button(page, 'Remove').click();
  await page.getByText('3 invisible characters').waitFor({ state: 'detached' });
  expect(await composer(page).inputValue()).toBe('pasted text 👩‍💻');
});

test('[PG24] on a phone Enter is a new line and Send is a button', async () => {
  const { page } = await stage.fresh({}, { viewport: PHONE, isTouch: true });
  await composer(page).fill('one');
  await composer(page).press('Enter');
  await composer(page).pressSequentially('two');
  expect(await composer(page).inputValue()).toBe('one\ntwo');
  const box = await button(page, 'Send').boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await button(page, 'Send').tap();
  await turnsDone(page);
});

async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const isThere = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press(key);
    const text = await page.evaluate<string>(
      `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText ?? ''`,
    );
    if (isThere(text.trim())) return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

test('[PG25] a whole conversation without a mouse', async () => {
  const visit = await stage.open();
  const { page } = visit;
  const word = script(
    stage.box,
    [
      {
        call: 'exec_command',
        args: {
          cmd: 'touch by-keyboard; echo hi',
          login: false,
          with_escalated_permissions: true,
          sandbox_permissions: 'require_escalated',
          justification: 'to see',
        },
      },
    ],
    [{ say: 'all **done**' }],
  );
  expect(await page.evaluate('document.activeElement?.id')).toBe('composer');
  await page.keyboard.type(`by keyboard ${word}`);
  await page.keyboard.press('Enter');
  await dock(page).waitFor();
  await page.keyboard.press('Alt+y');
  await turnsDone(page);
  await tabTo(page, /touch by-keyboard/, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await row(page, 'command').locator('pre').last().waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('markdown');
  await page.keyboard.press('Enter');
  await row(page, 'assistant').getByText('**done**').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('archive');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Undo', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Shift+o');
  await page.getByRole('combobox', { name: 'Start in' }).waitFor();
  expectClean(visit);
});
