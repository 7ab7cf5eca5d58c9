/** Long and live: nothing moves under a reader, finished text is left alone, and the page stays small. */
import { beforeAll, expect, test } from 'vitest';
import { PROBE } from './probe.ts';
import { button, eventually, expectClean, row, say, script, setStage, transcript, turnsDone } from './stage.ts';
import { ordinaryPast, writeTranscripts } from './write-transcript.ts';

const stage = setStage();
let [medium, long, huge] = ['', '', ''];
beforeAll(async () => {
  [medium = '', long = '', huge = ''] = await writeTranscripts(
    stage.box,
    ordinaryPast(300),
    ordinaryPast(1_500),
    ordinaryPast(100_000),
  );
});

const open = (conversationId: string) => stage.open({ conversationId, probe: PROBE });
type Visit = Awaited<ReturnType<typeof open>>;

async function leaveEnd({ page }: Visit): Promise<void> {
  await transcript(page).hover();
  await page.mouse.wheel(0, -900);
  await button(page, 'Staying where you read').waitFor();
  // The wheel's own scrolling has ended when two frames agree.
  await page.evaluate(`(async () => { let top; do { top = __probe.scroller().scrollTop; await __probe.frame(); await __probe.frame(); }
    while (top !== __probe.scroller().scrollTop); })()`);
}

test('[PG14] away from the end, 500 deltas and a new turn move the first visible row by 0 px', async () => {
  const visit = await open(medium);
  const { page } = visit;
  await leaveEnd(visit);
  await page.evaluate('__probe.watchFirst()');
  const word = script(stage.box, [{ say: 'word '.repeat(500), chunk: 5, delayMs: 1 }]);
  const watcher = await stage.box.watch(medium);
  await stage.box.must('sendMessage', { conversation_id: medium, text: `go ${word}` });
  await watcher.turnEnd();
  const pill = page.getByRole('button', { name: /^\d+ new$/ });
  await pill.waitFor();
  await eventually(() => pill.innerText()).toBe('3 new');
  const seen = await page.evaluate<{ frames: number; moves: unknown[] }>('__probe.stopWatch()');
  expect(seen.frames).toBeGreaterThan(5);
  expect(seen.moves).toEqual([]);
  const deltas = watcher.frames.filter((frame) => frame.type === 'assistant_delta');
  expect(deltas.map((frame) => ('delta' in frame ? frame.delta : '')).join('')).toHaveLength(2_500);
  await visit.shot('free-pill');
  await pill.click();
  await button(page, 'Following the end').waitFor();
  await eventually(() => row(page, 'status').last().isVisible()).toBe(true);
  expect(await pill.count()).toBe(0);
  expectClean(visit);
});

test('[PG14] going back through 1,000 entries moves the first visible row by 0 px', async () => {
  const visit = await open(long);
  const { page } = visit;
  await leaveEnd(visit);
  const steps = 30;
  const moves = await page.evaluate<unknown[]>(`__probe.pageBack(${steps})`);
  expect(moves).toEqual(Array.from({ length: steps }, () => 0));
  const oldest = await page.evaluate<string>('__probe.rows()[0].dataset.key');
  expect(Number(/item-(\d+)/.exec(oldest)?.[1])).toBeLessThan(500);
});

test('[PG14] at the very top older rows appear by themselves', async () => {
  const visit = await open(long);
  const { page } = visit;
  await leaveEnd(visit);
  // Nothing more is scrolled from here on: what is older comes all the same, until the first row is out of view again.
  const oldest = await page.evaluate<string>(
    `(() => { const { key } = __probe.rows()[0].dataset; __probe.scroller().scrollTop = 0; return key; })()`,
  );
  await eventually(() => page.evaluate('__probe.rows()[0].dataset.key')).not.toBe(oldest);
});

test('[PG14] at its end the page follows what comes', async () => {
  const { page } = await open(medium);
  const before = await row(page, 'status').count();
  const lines = Array.from({ length: 80 }, (_none, at) => `line ${at}`).join('\n\n');
  await say(page, script(stage.box, [{ say: lines, chunk: 7 }]));
  await turnsDone(page, before + 1);
  await eventually(() =>
    page.evaluate<number>('((s) => s.scrollHeight - s.scrollTop - s.clientHeight)(__probe.scroller())'),
  ).toBeLessThanOrEqual(1);
});

test('[PG15] a finished block of an answer is not rendered again while the rest streams', async () => {
  const tail = Array.from({ length: 150 }, (_none, at) => `More of paragraph ${at} with *words*.`).join('\n\n');
  const text = `# Title\n\nA first paragraph with **bold**.\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n\n${tail}`;
  const id = await stage.box.create();
  const { page } = await open(id);
  await say(page, script(stage.box, [{ say: text, chunk: 4, delayMs: 1 }]));
  await row(page, 'assistant').getByText('More of paragraph 1 with').waitFor();
  expect(await page.evaluate(`__probe.observe('[data-role="assistant"] p')`)).toBe('A first paragraph with bold.');
  await page.evaluate(`__probe.atText('More of paragraph 80 with')`);
  await turnsDone(page);
  expect(await page.evaluate('__probe.fared')).toMatchObject({ count: 0, isConnected: true });
});

test('[PG15] the end of an answer leaves its blocks where they are', async () => {
  const id = await stage.box.create();
  const { page } = await open(id);
  await say(page, script(stage.box, [{ say: `One.\n\n${'And another. '.repeat(100)}`, chunk: 4, delayMs: 2 }]));
  await row(page, 'assistant').getByText('And another.').waitFor();
  await page.evaluate(`__probe.observe('[data-role="assistant"] p')`);
  await turnsDone(page);
  expect(await page.evaluate('__probe.observed.node.isConnected')).toBe(true);
});

test('[PG16] a conversation of 100,000 entries opens at its end with fewer than 6,000 nodes, also while going back', async () => {
  const visit = await open(huge);
  const { page } = visit;
  const nodes = () => page.evaluate<number>(`document.querySelectorAll('*').length`);
  await row(page, 'assistant').getByText('answer 99998').waitFor();
  expect(await nodes()).toBeLessThan(6_000);
  await leaveEnd(visit);
  await page.evaluate('__probe.pageBack(12)');
  expect(await nodes()).toBeLessThan(6_000);
  expectClean(visit);
  await visit.shot('huge');
});

test('[PG411] a window that gets wider and lower at once, as a phone that is turned, keeps following the end', async () => {
  const visit = await open(medium);
  const { page } = visit;
  await button(page, 'Following the end').waitFor();
  // Wider: fewer lines, and the browser moves the reader up. Lower before the page hears of it: that is no longer the end.
  const below = await page.evaluate<number>(`(async () => {
    const scroller = __probe.scroller();
    const settled = async () => { for (let at = 0; at < 4; at += 1) await __probe.frame(); };
    scroller.style.width = '320px';
    await settled();
    // Between two frames: the browser reports the move at the beginning of the next one, before the new sizes.
    await new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
    scroller.style.width = '';
    scroller.getBoundingClientRect();
    scroller.style.height = '300px';
    await settled();
    return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
  })()`);
  expect(below).toBeLessThan(2);
  expect(await button(page, 'To the end').count()).toBe(0);
  expectClean(visit);
});
