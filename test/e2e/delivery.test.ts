/** What became of a message: on its way, delivered, not delivered, sent again. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { NewEntry } from '../../src/contract/entry.ts';
import type { Visit } from '../../src/testing/browser.ts';
import { PROBE } from './probe.ts';
import {
  button,
  composer,
  eventually,
  expectClean,
  readRows,
  row,
  say,
  setStage,
  sideways,
  transcript,
} from './stage.ts';
import { ordinaryPast, writeTranscripts } from './write-transcript.ts';

const WHY = 'Codex stopped before it kept this message.';
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const message = (id: string, text: string, more: Partial<Extract<NewEntry, { role: 'user' }>> = {}): NewEntry => ({
  role: 'user',
  text,
  client_message_id: id,
  mode: 'send',
  state: 'sent',
  ...more,
});
const delivered = (id: string, turn_id: string): NewEntry => ({
  role: 'delivery',
  client_message_id: id,
  state: 'delivered',
  turn_id,
  item_id: `item-${id}`,
});
const lost = (id: string): NewEntry => ({
  role: 'delivery',
  client_message_id: id,
  state: 'not_delivered',
  reason: 'codex_exited',
  text: WHY,
});
const answered = (turn_id: string, text: string): NewEntry[] => [
  { role: 'assistant', text, status: 'completed', turn_id, item_id: `answer-${turn_id}` },
  { role: 'status', status: 'success', turn_status: 'completed', duration_ms: 1_200, turn_id },
];

/** Old and new messages, one that was sent again, and two that Codex does not have. */
const EVERY_STATE: readonly NewEntry[] = [
  { role: 'user', text: 'From before messages had a state', turn_id: 't0', item_id: 'i0' },
  ...answered('t0', 'An answer of old.'),
  message('m1', 'Which files changed?'),
  delivered('m1', 't1'),
  ...answered('t1', 'Two files: `a.ts` and `b.ts`.'),
  message('m2', 'Run the tests again'),
  lost('m2'),
  message('m3', 'Run the tests again', { retry_of: 'm2' }),
  delivered('m3', 't3'),
  ...answered('t3', 'All tests pass.'),
  message('m4', 'And mind the phone layout', { mode: 'steer' }),
  lost('m4'),
  message('m5', 'Does this picture show the fault?\nI think the second row is cut off.', {
    images: [{ kind: 'url', value: PIXEL }],
  }),
  lost('m5'),
];

const stage = setStage();
let every = '';
let one = '';
let long = '';
beforeAll(async () => {
  const past = ordinaryPast(400);
  past[100] = message('far', 'a message from afar');
  past[300] = delivered('far', 'turn-25');
  [every = '', one = '', long = ''] = await writeTranscripts(
    stage.box,
    EVERY_STATE,
    [message('m1', 'only this one', { images: [{ kind: 'url', value: PIXEL }] }), lost('m1')],
    past,
  );
});

/** An entry as if the server had written it. */
async function tell(page: Page, conversationId: string, seq: number, entry: NewEntry): Promise<void> {
  const type = entry.role === 'user' ? 'message' : entry.role;
  const stored = { seq, ts: new Date().toISOString(), ...entry };
  const frame = JSON.stringify({ type, conversation_id: conversationId, seq, entry: stored });
  await page.evaluate(`__probe.sockets.find((one) => one.url.includes('/ws/appserver') && one.readyState === 1)
    .onmessage({ data: ${JSON.stringify(frame)} })`);
}

/** Answers messages in the server's place and keeps what was sent. */
async function takeMessages(page: Page, answer: (id: string) => { status?: number; json: object }) {
  const sent: Record<string, unknown>[] = [];
  await page.route('**/messages', async (route) => {
    const body = route.request().postDataJSON();
    sent.push(body);
    await route.fulfill(answer(body.client_message_id));
  });
  return sent;
}
const started = (id: string) => ({ json: { ok: true, outcome: 'started', client_message_id: id, turn_id: 't9' } });

const undelivered = (page: Page, text: string) => row(page, 'user').filter({ hasText: text });
const openOne = (): Promise<Visit> => stage.open({ conversationId: one, probe: PROBE });

test('[PG55] a delivered message shows nothing, and can be forked and edited by the turn that its delivery names', async () => {
  const visit = await stage.open({ conversationId: every });
  const { page } = visit;
  expect(await readRows(page)).toEqual(expect.arrayContaining([expect.stringContaining('Which files changed?')]));
  expect(await transcript(page).getByText('Sending').count()).toBe(0);
  for (const text of ['From before', 'Which files']) {
    const said = undelivered(page, text);
    expect(await said.getByText('Not delivered').count()).toBe(0);
    expect(await said.getByRole('button').allInnerTexts()).toEqual(['Fork from here', 'More for this message']);
  }
  let reverted: unknown = null;
  await page.route('**/revert', async (route) => {
    reverted = route.request().postDataJSON();
    await route.fulfill({ json: { ok: true } });
  });
  await undelivered(page, 'Which files').hover();
  await undelivered(page, 'Which files').getByRole('button', { name: 'More for this message' }).click();
  await page.getByRole('menuitem', { name: 'Edit from here' }).click();
  await eventually(() => composer(page).inputValue()).toBe('Which files changed?');
  expect(reverted).toBe(null);
  await page.route('**/messages', (route) => route.fulfill({ json: { outcome: 'queued' } }));
  await composer(page).press('Enter');
  await eventually(async () => reverted).toMatchObject({ before_turn_id: 't1' });
  expect(reverted).toMatchObject({ before_turn_id: 't1' });
  expectClean(visit);
});

test('[PG55] on its way: at once, with a word about it only after a moment, and its entry takes its place without a move', async () => {
  const { id, page } = await stage.fresh({}, { probe: PROBE });
  let answer = () => {};
  let clientId = '';
  await page.route('**/messages', async (route) => {
    clientId = route.request().postDataJSON().client_message_id;
    await new Promise<void>((done) => {
      answer = done;
    });
    await route.fulfill(started(clientId));
  });
  await say(page, 'hello there');
  const words = transcript(page).getByText('hello there');
  await words.waitFor();
  await page.getByText('Sending…').waitFor();
  const before = await words.boundingBox();
  await tell(page, id, 1, message(clientId, 'hello there'));
  await row(page, 'user').getByText('hello there').waitFor();
  expect(await words.count()).toBe(1);
  expect(await words.boundingBox()).toEqual(before);
  // The note begins anew with the entry, and again waits a moment before it shows.
  await row(page, 'user').getByText('Sending…').waitFor();
  answer();
  await tell(page, id, 2, delivered(clientId, 't1'));
  await eventually(() => page.getByText('Sending…').count()).toBe(0);
  expect(await words.boundingBox()).toEqual(before);
});

test('[PG55] where its delivery is not loaded, a message of the past does not look as if it were on its way', async () => {
  const visit = await stage.open({ conversationId: long });
  const { page } = visit;
  await page.keyboard.press('Control+Shift+f');
  await page.getByRole('search').getByRole('searchbox').fill('from afar');
  await page.getByRole('search').getByText('1', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  const found = row(page, 'user').filter({ hasText: 'a message from afar' });
  await found.waitFor();
  expect(await found.getByText('Sending').count()).toBe(0);
  expect(await found.getByRole('button').count()).toBe(0);
  expectClean(visit);
});

test('[PG57] not delivered: says why, and Send again repeats it by keyboard; what is repeated folds to a line', async () => {
  const visit = await openOne();
  const { page } = visit;
  const sent = await takeMessages(page, started);
  const said = undelivered(page, 'only this one');
  expect(await said.innerText()).toContain(`Not delivered: ${WHY}`);
  await said.getByRole('button', { name: 'Send again' }).focus();
  await page.keyboard.press('Enter');
  await eventually(async () => sent.length).toBe(1);
  expect(sent[0]).toMatchObject({ text: 'only this one', retry_of: 'm1', mode: 'send', images: [{ value: PIXEL }] });
  const newId = String(sent[0]?.client_message_id);
  expect(newId).not.toBe('m1');
  // While it is on its way a second press does nothing.
  expect(await button(page, 'Send again').getAttribute('aria-disabled')).toBe('true');
  await tell(page, one, 3, message(newId, 'only this one', { retry_of: 'm1' }));
  await eventually(() => row(page, 'user').count()).toBe(2);
  expect(await row(page, 'user').first().innerText()).toMatch(/^You\s+Sent again below\s+\d\d:\d\d/);
  expect(await button(page, 'Send again').count()).toBe(0);
  expect(await page.evaluate('document.activeElement?.id')).toBe('composer');
  expectClean(visit);
});

test('[PG57] Edit puts words and images into the box, below a draft, and what is sent then repeats the message', async () => {
  const visit = await openOne();
  const { page } = visit;
  const sent = await takeMessages(page, started);
  await composer(page).fill('a draft');
  await undelivered(page, 'only this one').getByRole('button', { name: 'Edit' }).click();
  await eventually(() => composer(page).inputValue()).toBe('a draft\n\nonly this one');
  expect(await page.evaluate('document.activeElement?.id')).toBe('composer');
  expect(await page.getByRole('button', { name: 'Remove 1 image' }).count()).toBe(1);
  await visit.shot('delivery-edit');
  await composer(page).press('Enter');
  await eventually(async () => sent.length).toBe(1);
  expect(sent[0]).toMatchObject({ text: 'a draft\n\nonly this one', retry_of: 'm1', images: [{ value: PIXEL }] });
  await say(page, 'something else');
  await eventually(async () => sent.length).toBe(2);
  expect(sent[1]).not.toHaveProperty('retry_of');
});

test('[PG57] Edit leaves shell mode for the message box', async () => {
  const { page } = await openOne();
  await page.keyboard.press('Control+Shift+Backquote');
  await eventually(() => composer(page).count()).toBe(0);
  await undelivered(page, 'only this one').getByRole('button', { name: 'Edit' }).click();
  await eventually(() => composer(page).inputValue()).toBe('only this one');
});

test('[PG57] a message that is refused but stored is not in the box again: the transcript has it', async () => {
  const { id, page } = await stage.fresh({}, { probe: PROBE });
  const sent = await takeMessages(page, (client_message_id) => ({
    status: 503,
    json: {
      ok: false,
      code: 'codex_unavailable',
      message: 'Codex is away.',
      details: { stored: true, client_message_id },
    },
  }));
  await say(page, 'keep me');
  await eventually(async () => sent.length).toBe(1);
  const clientId = String(sent[0]?.client_message_id);
  await tell(page, id, 1, message(clientId, 'keep me'));
  await tell(page, id, 2, lost(clientId));
  await undelivered(page, 'keep me').getByText('Not delivered:').waitFor();
  expect(await transcript(page).getByText('keep me').count()).toBe(1);
  expect(await composer(page).inputValue()).toBe('');
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('[PG58] a screen reader is told once', async () => {
  const { id, page } = await stage.fresh({}, { probe: PROBE });
  await page.evaluate(`window.__said = [];
    new MutationObserver(() => __said.push(document.querySelector('[aria-live="polite"]').textContent))
      .observe(document.querySelector('[aria-live="polite"]'), { subtree: true, childList: true, characterData: true })`);
  await tell(page, id, 1, message('m1', 'hello'));
  await tell(page, id, 2, lost('m1'));
  await tell(page, id, 2, lost('m1'));
  await undelivered(page, 'hello').getByText('Not delivered:').waitFor();
  await tell(page, id, 3, { role: 'note', kind: 'api', text: 'later' });
  await row(page, 'note').waitFor();
  expect(await page.evaluate('__said')).toEqual([`Your message was not delivered: ${WHY}`]);
});

test('[PG59] a queued message that is being handed over shows in the transcript only', async () => {
  const { id, page, visit } = await stage.fresh({}, { probe: PROBE });
  await page.route(`**/conversations/${id}`, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const queue = ['q1', 'q2'].map((client_message_id) => ({
      client_message_id,
      text: `text of ${client_message_id}`,
      images: [],
      queued_at: new Date().toISOString(),
    }));
    await route.fulfill({ response, json: { ...body, conversation: { ...body.conversation, queue } } });
  });
  await visit.reload();
  await page.getByRole('region', { name: '2 queued' }).waitFor();
  await tell(page, id, 1, message('q1', 'text of q1', { mode: 'queue' }));
  await page.getByRole('region', { name: '1 queued' }).waitFor();
  expect(await page.getByText('text of q1').count()).toBe(1);
  expect(await page.getByRole('region', { name: '1 queued' }).innerText()).toContain('text of q2');
});

interface Violation {
  readonly id: string;
  readonly impact: string;
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`[PG57] every state fits on every width, and axe finds nothing serious: ${colorScheme}`, async () => {
    const visit = await stage.open({ conversationId: every, colorScheme });
    const { page } = visit;
    for (const [width, height] of [
      [1440, 900],
      [1280, 800],
      [820, 1180],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await undelivered(page, 'Does this picture').getByText('Not delivered:').waitFor();
      await visit.shot(`delivery-${width}-${colorScheme}`);
      expect(await sideways(page)).toEqual([]);
    }
    const sizes = await button(page, 'Send again').evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect().height),
    );
    expect(sizes).toHaveLength(2);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
    await page.evaluate(axe.source);
    const found = await page.evaluate<Violation[]>(
      `axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)`,
    );
    expect(found.filter((each) => each.impact === 'serious' || each.impact === 'critical')).toEqual([]);
    expectClean(visit);
  });
}
