/** A conversation is wired to the outside before its first message: its own id is the address of its events. */
import { appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { ask, eventFor, eventsOf, post, targetOf, toldIds, untilState } from './events-stand.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

test('[EV45] events that arrive before the first message go along with it, once, also over a kill', async () => {
  const id = await box.create();
  const draft = await targetOf(box, id, id);
  const byHttp = eventFor(id);
  expect((await post(box, byHttp)).body).toMatchObject({ ok: true, delivered: { mode: 'queue_for_next_turn' } });
  const byFile = eventFor(id);
  await appendFile(draft.inbox, `${JSON.stringify(byFile)}\n`);
  await untilState(box, draft, byFile.event_id, 'queued');
  await box.kill();
  await box.restart();
  await targetOf(box, id, id);
  const both = [byFile.event_id, byHttp.event_id].sort();
  expect(toldIds(await ask(box, draft, 'first words')).sort()).toEqual(both);
  // The history holds them, and they were not told again.
  expect(toldIds(await ask(box, draft, 'more words')).sort()).toEqual(both);
});

test('[OB31] the events of a draft can be listed, and keep one entry, their state and their read mark when its thread begins', async () => {
  const id = await box.create();
  const draft = await targetOf(box, id, id);
  await box.must('writeEventRules', { rules: [{ match_type: 'only.shown', delivery: 'notify_only' }] });
  const waits = eventFor(id);
  const shown = eventFor(id, { type: 'only.shown' });
  for (const event of [waits, shown]) expect(await post(box, event)).toMatchObject({ status: 202 });
  const before = await eventsOf(box, draft);
  expect(before).toMatchObject({ total: 2, unread: 2, waiting: 1 });
  await box.must('ackEvent', { thread_id: id, event_id: String(shown.event_id) });
  expect(toldIds(await ask(box, draft, 'first words'))).toEqual([waits.event_id]);

  const { row } = await box.must('readConversation', { id });
  const target = await targetOf(box, id, row.thread_id ?? '');
  await untilState(box, target, waits.event_id, 'delivered');
  expect((await eventsOf(box, target)).events).toMatchObject([
    { event_id: waits.event_id, state: 'delivered', read: false },
    { event_id: shown.event_id, state: 'notified', read: true },
  ]);
  const { entries } = await box.must('transcriptRange', { conversation_id: id, after: 0, limit: 500 });
  const told = entries.filter((one) => one.role === 'external_event');
  expect(
    told.filter((one) => one.kind === 'received').flatMap((one) => one.events.map((event) => event.event_id)),
  ).toEqual([waits.event_id, shown.event_id]);
  expect(told.filter((one) => one.kind === 'moved')).toMatchObject([
    { thread_id: target.threadId, moved_from: { thread_id: id }, state: 'queued' },
    { thread_id: target.threadId, moved_from: { thread_id: id }, state: 'notified' },
  ]);
  expect(told.filter((one) => one.kind === 'state')).toMatchObject([
    { thread_id: target.threadId, state: 'delivered' },
  ]);
  await box.must('writeEventRules', { rules: null });
});

test('[EV45] once there is a thread, the id of the conversation leads to it', async () => {
  const id = await box.create();
  const draft = await targetOf(box, id, id);
  expect(toldIds(await ask(box, draft, 'hello'))).toEqual([]);
  const { row } = await box.must('readConversation', { id });
  const target = await targetOf(box, id, row.thread_id ?? '');
  const late = eventFor(id);
  expect((await post(box, late)).body).toMatchObject({ ok: true, delivered: { thread_id: target.threadId } });
  expect((await eventsOf(box, target)).events.map((one) => one.event_id)).toEqual([late.event_id]);
  expect(toldIds(await ask(box, target, 'and now?'))).toEqual([late.event_id]);
});
