/** A burst of ten thousand events with twenty clients watching: none is lost, none is doubled, by socket, HTTP and file. */
import { appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { ask, eventFor, fragmentsIn, openTarget, post, publishSocket, type Target } from './events-stand.ts';

const EVENTS = 10_000;
const CLIENTS = 20;
let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

async function pages(target: Target): Promise<string[]> {
  const ids: string[] = [];
  for (let after = 0; ; ) {
    const page = await box.must('listEvents', { thread_id: target.threadId, after, limit: 1000 });
    ids.push(...page.events.map((one) => one.event_id));
    after = page.events.at(-1)?.event_seq ?? after;
    if (!page.has_more) return ids;
  }
}

test('[EV36] ten thousand events in a burst with twenty clients are each there once, and the model is told a few lines', async () => {
  const target = await openTarget(box);
  const watchers = await Promise.all(Array.from({ length: CLIENTS }, () => box.watch(target.id)));
  const events = Array.from({ length: EVENTS }, () => eventFor(target.threadId));
  const bySocket = events.slice(0, 6_000);
  const byHttp = events.slice(6_000, 8_000);
  const byFile = events.slice(8_000);
  const [acks, ...batches] = await Promise.all([
    publishSocket(target, ...bySocket),
    ...[0, 1_000].map((from) => post(box, byHttp.slice(from, from + 1_000), {}, '/v1/events:batch')),
    appendFile(target.inbox, byFile.map((event) => `${JSON.stringify(event)}\n`).join('')),
  ]);
  expect(acks.every((ack) => ack.ok)).toBe(true);
  expect(
    batches.flatMap((batch) => (batch === undefined ? [] : (batch.body.results ?? []))).every((ack) => ack.ok),
  ).toBe(true);
  await expect
    .poll(async () => (await box.must('listEvents', { thread_id: target.threadId, limit: 1 })).total, {
      timeout: 25_000,
    })
    .toBe(EVENTS);
  const ids = await pages(target);
  expect(new Set(ids)).toEqual(new Set(events.map((event) => event.event_id)));
  expect(ids).toHaveLength(EVENTS);
  for (const watcher of watchers) {
    const seen = () =>
      watcher
        .entries()
        .flatMap((entry) => (entry.role === 'external_event' && entry.kind === 'received' ? entry.event_seqs : []));
    await expect.poll(() => seen().length, { timeout: 25_000 }).toBe(EVENTS);
    expect(new Set(seen()).size).toBe(EVENTS);
  }
  const [fragment] = fragmentsIn(await ask(box, target, 'what was that?'));
  expect(fragment?.heading).toMatch(/^10000 events/);
  expect(fragment?.bytes).toBeLessThanOrEqual(4_000);
});
