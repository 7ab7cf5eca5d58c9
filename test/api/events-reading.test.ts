/** What people find among many events: by severity, source and words; read marks; and what was no event. */
import { appendFile, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { eventFor, eventsOf, openTarget, post } from './events-stand.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box?.close());

test('[EV17] many events are looked through by severity, source and words, page by page', async () => {
  const own = await openTarget(box);
  const severities = ['info', 'error'] as const;
  const sent = Array.from({ length: 12 }, (_, at) =>
    eventFor(own.threadId, { severity: severities[at % 2], source: { name: `ci-${at % 3}` }, title: `build ${at}` }),
  );
  for (const event of sent) await post(box, event);
  const look = async (query: object) => {
    const page = await box.must('listEvents', { thread_id: own.threadId, ...query });
    return { titles: page.events.map((one) => one.title), next: page.next, has_more: page.has_more };
  };
  expect((await look({ min_severity: 'warning' })).titles).toEqual([1, 3, 5, 7, 9, 11].map((at) => `build ${at}`));
  expect((await look({ source: 'ci-2', q: 'BUILD' })).titles).toEqual([2, 5, 8, 11].map((at) => `build ${at}`));
  const last = await look({ min_severity: 'error', source: 'ci-2', limit: 1 });
  expect(last).toMatchObject({ titles: ['build 11'], has_more: true });
  const rest = await look({ min_severity: 'error', source: 'ci-2', limit: 9, before: last.next ?? 0 });
  expect(rest).toEqual({ titles: ['build 5'], next: null, has_more: false });
  expect((await look({ q: 'nobody said this' })).titles).toEqual([]);
  expect((await box.call('listEvents', { thread_id: own.threadId, min_severity: 'bad' as never })).status).toBe(400);
});

test('[EV17] what was marked read can be made unread again, also after a restart', async () => {
  const own = await openTarget(box);
  for (let at = 0; at < 3; at += 1) await post(box, eventFor(own.threadId));
  const acked = await box.must('ackEvents', { thread_id: own.threadId });
  expect(acked).toMatchObject({ acked: 3, unread: 0 });
  const [first = 0] = acked.events;
  expect(await box.must('markEventsUnread', { thread_id: own.threadId, events: [first, first, 999] })).toEqual({
    ok: true,
    marked: 1,
    unread: 1,
  });
  await box.restart();
  const { events, unread } = await eventsOf(box, own);
  expect([unread, events.map((one) => one.read)]).toEqual([1, [false, true, true]]);
  expect(await box.must('ackEvents', { thread_id: own.threadId })).toMatchObject({ acked: 1, events: [first] });
});

test('[EV12] people can read what was rejected and why', async () => {
  const own = await openTarget(box);
  const list = () => box.must('listRejectedEvents', { thread_id: own.threadId });
  expect(await list()).toMatchObject({ rejected: [], total: 0 });
  await appendFile(own.inbox, `this is not JSON\n${JSON.stringify({ ...eventFor(own.threadId), title: undefined })}\n`);
  await expect
    .poll(async () => (await list()).rejected.map(({ reason }) => reason), { timeout: 20_000 })
    .toEqual(['invalid_event: this is not JSON', 'invalid_event: title is missing']);
  const { rejected, total, path } = await list();
  expect([rejected[0]?.text, total]).toEqual(['this is not JSON', 2]);
  expect(await readFile(path, 'utf8')).toContain('title is missing');
});

test('[EV8] where config.toml turns events off, whoever sends or reads is told so', async () => {
  const silent = await openBox({ flags: ['-c', 'external_events.enabled=false'] });
  try {
    const id = await silent.create();
    const watcher = await silent.watch(id);
    await silent.must('sendMessage', { conversation_id: id, text: 'hello' });
    await watcher.turnEnd();
    watcher.close();
    const thread_id = (await silent.must('readConversation', { id })).row.thread_id ?? '';
    const off = { ok: false, code: 'turned_off', message: 'config.toml turns events off: external_events.enabled' };
    expect(await post(silent, eventFor(thread_id))).toMatchObject({ status: 409, body: off });
    expect(await silent.call('listEvents', { thread_id })).toMatchObject({ status: 409, body: off });
  } finally {
    await silent.close();
  }
});
