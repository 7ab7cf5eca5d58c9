/** The socket cut and the server killed in mid-stream: the page ends as one that is loaded afresh. */
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Visit } from '../../src/testing/browser.ts';
import { openRawCodex } from '../../src/testing/raw-codex.ts';
import { PROBE } from './probe.ts';
import {
  button,
  composer,
  dock,
  eventually,
  freePort,
  readRows,
  row,
  say,
  script,
  setStage,
  turnsDone,
} from './stage.ts';

const stage = setStage(async () => ({ flags: ['--port', String(await freePort())] }));

async function expectLikeFresh(visit: Visit, conversationId: string): Promise<void> {
  const fresh = await stage.open({ conversationId });
  await eventually(() => readRows(visit.page)).toEqual(await readRows(fresh.page));
  expect(visit.problems.page).toEqual([]);
  expect(visit.problems.csp).toEqual([]);
  await fresh.close();
}

const words = (from: number, to: number) =>
  Array.from({ length: to - from }, (_none, at) => `word ${from + at}`).join('\n\n');

const lastWord = (text: string) => Number(/word (\d+)\s*$/.exec(text)?.[1] ?? -1);

test('[PG17] the socket cut five times in mid-stream', async () => {
  const { id, visit, page } = await stage.fresh({}, { probe: PROBE });
  await say(page, script(stage.box, [{ think: 'hm' }, { say: words(0, 300), chunk: 3, delayMs: 1 }]));
  for (const at of [5, 40, 80, 120, 160]) {
    // At least that far: one word may have gone by, and far above the view it is not on the page.
    await eventually(async () => lastWord(await row(page, 'assistant').innerText())).toBeGreaterThanOrEqual(at);
    const before = visit.synced.of(id);
    await page.evaluate('__probe.cut()');
    await visit.synced.beyond(id, before);
  }
  await turnsDone(page);
  expect(await row(page, 'assistant').innerText()).toContain('word 299');
  await expectLikeFresh(visit, id);
});

test('[PG17] the server killed in mid-stream and started again', async () => {
  const { id, visit, page } = await stage.fresh({ approval: 'never' });
  const word = script(stage.box, [
    { say: words(0, 50), chunk: 5 },
    { gate: 'restarted' },
    { say: words(50, 100), chunk: 5 },
  ]);
  await say(page, word);
  await row(page, 'assistant').getByText('word 40', { exact: true }).waitFor();
  await composer(page).fill('typed meanwhile');
  const before = visit.synced.of(id);
  await stage.box.restart();
  await visit.synced.beyond(id, before);
  stage.box.model.release('restarted');
  await turnsDone(page);
  await row(page, 'assistant').getByText('word 99', { exact: true }).waitFor();
  expect(await composer(page).inputValue()).toBe('typed meanwhile');
  await expectLikeFresh(visit, id);
});

test('[PG17] an approval that waits outlives the server and is answered on the same page', async () => {
  const { id, visit, page } = await stage.fresh({ approval: 'untrusted' });
  const run = { call: 'exec_command', args: { cmd: 'echo survived', login: false } };
  await say(page, script(stage.box, [run], [{ say: 'done' }]));
  await dock(page).waitFor();
  const before = visit.synced.of(id);
  await stage.box.kill();
  await page.getByText('Connection lost').waitFor();
  await visit.shot('connection-lost');
  await stage.box.restart();
  await visit.synced.beyond(id, before);
  await dock(page).getByRole('button', { name: 'Allow once' }).click();
  await turnsDone(page);
  await row(page, 'command').getByText('exit 0').waitFor();
  expect(await page.getByText('Connection lost').count()).toBe(0);
  await expectLikeFresh(visit, id);
});

test('[PG30] the banner tells the state Codex has now, also when it changed while the page loaded', async () => {
  const { visit, page } = await stage.fresh();
  await stage.box.must('stop', {});
  let goOn = () => {};
  const isReady = new Promise<void>((done) => {
    goOn = done;
  });
  await page.route('**/models', async (route) => {
    await isReady;
    await route.continue();
  });
  await visit.reload();
  await stage.box.must('start', {});
  await eventually(async () => (await stage.box.must('status', {})).codex.state).toBe('ready');
  const picker = page.getByRole('button', { name: /^Model/ });
  expect(await picker.innerText()).not.toContain('GPT');
  goOn();
  await picker.getByText('GPT').waitFor();
  expect(await page.getByText(/^Codex is (starting|stopped)/).count()).toBe(0);
});

test('[RC6] Codex lost its file of the thread: the page says so, and one click goes on in a new thread', async () => {
  const { id, page } = await stage.fresh();
  await say(page, script(stage.box, [{ say: 'the first answer' }]));
  await turnsDone(page);
  const { conversation } = await stage.box.must('readConversation', { id });
  await stage.box.must('stop', {});
  await rm(conversation.rollout_path ?? '');
  await stage.box.must('start', {});
  const second = script(stage.box, [{ say: 'the second answer' }]);
  await say(page, second);
  await page.getByRole('alert').getByText('Codex cannot read its own record of this conversation.').waitFor();
  expect(await composer(page).inputValue()).toBe(second);
  await button(page, 'Go on in a new thread').click();
  await row(page, 'assistant').getByText('the second answer').waitFor();
  await row(page, 'note').getByText('It goes on in the new thread').waitFor();
  expect(await composer(page).inputValue()).toBe('');
  expect(await row(page, 'assistant').first().innerText()).toContain('the first answer');
});

test('[RC7] [RC8] another program deleted the thread: an act of the page offers to go on in a new thread', async () => {
  const { id, visit, page } = await stage.fresh();
  await say(page, script(stage.box, [{ say: 'the first answer' }]));
  await turnsDone(page);
  const { conversation } = await stage.box.must('readConversation', { id });
  const other = await openRawCodex(stage.box.home);
  await other.request('thread/delete', { threadId: conversation.thread_id });
  other.close();
  await say(page, '/compact');
  await page.getByText('Codex cannot read its own record of this conversation.').waitFor();
  await visit.shot('recover-offer');
  await button(page, 'Go on in a new thread').click();
  await row(page, 'note').getByText('It goes on in the new thread').waitFor();
  const second = script(stage.box, [{ say: 'the second answer' }]);
  await say(page, second);
  await row(page, 'assistant').getByText('the second answer').waitFor();
});
