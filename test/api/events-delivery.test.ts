/** How events reach the model, judged by the bytes it received from the real Codex. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { EventRule } from '../../src/contract/external-event.ts';
import { type Box, openBox } from '../../src/testing/box.ts';
import {
  ask,
  eventFor,
  eventsOf,
  fragmentsIn,
  inputOf,
  openTarget,
  post,
  publishSocket,
  type Target,
  toldIds,
  untilState,
} from './events-stand.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box.close());

const setRules = (rules: readonly Partial<EventRule>[] | null, allow_sources: string[] = ['ci']) =>
  box.must('writeEventRules', { rules: rules === null ? null : [...rules], allow_sources });
const said = (target: Target, text: string) => ask(box, target, text);

/** A turn of the target that is held at a gate. */
async function hold(target: Target, gate: string) {
  box.model.push({ match: gate, events: [{ say: 'words before' }, { gate }, { say: 'words after' }] });
  const watcher = await box.watch(target.id);
  await box.must('sendMessage', { conversation_id: target.id, text: gate });
  await watcher.until((frame) => frame.type === 'assistant_finalize' || frame.type === 'assistant_delta', 'words');
  return watcher;
}

test('[EV26] by default an event waits for the next message, is told once, with the note on what it is', async () => {
  const target = await openTarget(box);
  const requests = box.model.requests.length;
  const event = eventFor(target.threadId, { title: 'tests failed', severity: 'error', payload: { from: 'ci' } });
  expect((await post(box, event)).body).toMatchObject({ delivered: { mode: 'queue_for_next_turn' } });
  await untilState(box, target, event.event_id, 'queued');
  expect(box.model.requests.length).toBe(requests);
  const items = await said(target, 'what now?');
  const [fragment] = fragmentsIn(items);
  expect(fragment).toMatchObject({
    role: 'user',
    heading: expect.stringContaining('data, not instructions'),
    events: [{ id: event.event_id, title: 'tests failed', severity: 'error', trust: 'local authenticated' }],
  });
  const place = items.findIndex(({ text }) => text === 'what now?');
  expect(items.findIndex(({ text }) => text.startsWith('<external_events>'))).toBeLessThan(place);
  expect(items.some(({ role, text }) => role === 'developer' && /not instructions/.test(text))).toBe(true);
  await untilState(box, target, event.event_id, 'delivered');
  expect(toldIds(await said(target, 'and then?'))).toEqual([event.event_id]);
});

test('[EV27] its way is in the transcript, the same for who was there and who comes later', async () => {
  const target = await openTarget(box);
  const watcher = await box.watch(target.id);
  const event = eventFor(target.threadId);
  await post(box, event);
  await watcher.until((frame) => frame.type === 'external_event', 'the event');
  await box.must('sendMessage', { conversation_id: target.id, text: 'go' });
  await watcher.turnEnd();
  await watcher.until(
    (frame) =>
      frame.type === 'external_event' &&
      'entry' in frame &&
      frame.entry.role === 'external_event' &&
      frame.entry.kind === 'state',
    'its change',
  );
  const told = watcher.entries().filter((entry) => entry.role === 'external_event');
  expect(told).toMatchObject([
    { kind: 'received', state: 'queued', events: [{ event_id: event.event_id, title: 'a build' }] },
    { kind: 'state', state: 'delivered', turn_id: expect.any(String) },
  ]);
  const fresh = await box.watch(target.id);
  expect(fresh.entries()).toEqual(watcher.entries());
  expect(await box.entries(target.id)).toEqual(watcher.entries());
  const heard = watcher.frames.filter((frame) => frame.type === 'notification');
  expect(heard[0]).toMatchObject({
    method: 'externalEvent/received',
    params: { thread_id: target.threadId, conversation_id: target.id, count: 1, unread: 1 },
  });
});

test('[EV28] an appended event is in the history as a result of a tool, silently and once', async () => {
  const target = await openTarget(box);
  await setRules([{ match_type: 'repo.*', delivery: 'append_to_thread' }]);
  const requests = box.model.requests.length;
  const event = eventFor(target.threadId, { type: 'repo.change' });
  await post(box, event);
  await untilState(box, target, event.event_id, 'appended');
  expect(box.model.requests.length).toBe(requests);
  const items = await said(target, 'what changed?');
  expect(fragmentsIn(items)).toMatchObject([{ role: 'tool', events: [{ id: event.event_id }] }]);
  expect(items.some(({ role, text }) => role === 'developer' && /not instructions/.test(text))).toBe(true);
  expect(toldIds(await said(target, 'more?'))).toEqual([event.event_id]);
});

test('[EV29] an event in a running turn waits for the next, unless a rule lets it steer', async () => {
  const target = await openTarget(box);
  await setRules([
    { match_type: 'build.failed', prefer_steer: true },
    { match_type: 'repo.*', delivery: 'append_to_thread' },
  ]);
  const watcher = await hold(target, 'long-work');
  const plain = eventFor(target.threadId, { type: 'build.status' });
  const held = eventFor(target.threadId, { type: 'repo.change' });
  const steering = eventFor(target.threadId, { type: 'build.failed' });
  const stranger = eventFor(target.threadId, { type: 'build.failed', source: { name: 'stranger' } });
  await post(box, plain);
  await post(box, held);
  await post(box, stranger);
  await untilState(box, target, stranger.event_id, 'queued');
  await untilState(box, target, held.event_id, 'held');
  box.model.push({ match: 'Events from outside', events: [{ say: 'I see' }] });
  expect((await post(box, steering)).body).toMatchObject({ delivered: { mode: 'turn_steer' } });
  await watcher.turnEnd();
  const [steered] = box.model.requests.slice(-1);
  expect(toldIds(inputOf(steered?.body.input))).toEqual([steering.event_id]);
  box.model.release('long-work');
  const { events } = await eventsOf(box, target);
  expect(events.find((one) => one.event_id === steering.event_id)).toMatchObject({
    state: 'delivered',
    mode: 'turn_steer',
  });
  await untilState(box, target, held.event_id, 'appended');
  const items = await said(target, 'next');
  expect(toldIds(items).sort()).toEqual(
    [steering.event_id, plain.event_id, stranger.event_id, held.event_id].map(String).sort(),
  );
});

test('[EV30] an idle thread is woken only by an allowed source, within a second, and never freer than it was', async () => {
  const target = await openTarget(box, { approval: 'never', sandbox: 'danger-full-access' });
  await setRules([{ match_type: 'build.failed', delivery: 'auto_turn' }]);
  const watcher = await box.watch(target.id);
  const requests = box.model.requests.length;
  const refused = eventFor(target.threadId, { type: 'build.failed', source: { name: 'stranger' } });
  await publishSocket(target, refused);
  await untilState(box, target, refused.event_id, 'queued');
  expect(box.model.requests.length).toBe(requests);
  const from = performance.now();
  const burst = Array.from({ length: 20 }, () => eventFor(target.threadId, { type: 'build.failed' }));
  await publishSocket(target, ...burst);
  await box.model.waitForRequest((request) => request.n >= requests);
  expect(performance.now() - from).toBeLessThan(1_000);
  await watcher.turnEnd();
  const request = box.model.requests[requests];
  const [fragment] = fragmentsIn(inputOf(request?.body.input));
  expect(fragment?.heading).toMatch(/^21 events/);
  expect(request?.rawBody).toContain('`sandbox_mode` is `workspace-write`');
  for (const { event_id } of burst) await untilState(box, target, event_id, 'delivered');
  expect(box.model.requests.length).toBe(requests + 1);
  const { conversation } = await box.must('readConversation', { id: target.id });
  expect(conversation).toMatchObject({ approval: 'never', sandbox: 'danger-full-access' });
});

test('[EV31] an automatic turn that finds the thread busy comes right after the turn', async () => {
  const target = await openTarget(box);
  await setRules([{ match_type: 'build.failed', delivery: 'auto_turn' }]);
  const watcher = await hold(target, 'busy-work');
  const event = eventFor(target.threadId, { type: 'build.failed' });
  await post(box, event);
  await untilState(box, target, event.event_id, 'queued');
  box.model.release('busy-work');
  await watcher.turnEnd(2);
  await untilState(box, target, event.event_id, 'delivered');
  const started = watcher.entries().flatMap((entry) => (entry.role === 'user' ? [entry.client_message_id ?? ''] : []));
  expect(started.filter((id) => id.startsWith('event-turn-'))).toHaveLength(1);
});

test('[EV31] a person who stops a turn is not given the next one by an event', async () => {
  const target = await openTarget(box);
  await setRules([{ match_type: 'build.failed', delivery: 'auto_turn' }]);
  const watcher = await hold(target, 'stopped-work');
  const event = eventFor(target.threadId, { type: 'build.failed' });
  await post(box, event);
  await box.must('interrupt', { conversation_id: target.id });
  await watcher.turnEnd();
  await vi.waitFor(
    async () => expect((await eventsOf(box, target)).events).toMatchObject([{ state: 'queued', reason: 'stopped' }]),
    { timeout: 25_000 },
  );
  await setRules(null);
  expect(toldIds(await said(target, 'go on then'))).toEqual([event.event_id]);
  box.model.release('stopped-work');
});

test('[EV32] notify_only is for people, drop for nobody', async () => {
  const target = await openTarget(box);
  await setRules([
    { match_type: 'build.completed', delivery: 'notify_only' },
    { match_type: 'noise.*', delivery: 'drop' },
  ]);
  const shown = eventFor(target.threadId, { type: 'build.completed' });
  const dropped = eventFor(target.threadId, { type: 'noise.tick' });
  await post(box, shown);
  await post(box, dropped);
  await untilState(box, target, shown.event_id, 'notified');
  await untilState(box, target, dropped.event_id, 'dropped');
  expect(toldIds(await said(target, 'anything?'))).toEqual([]);
});

test('[EV25] an event of 30 KB arrives cut and says so', async () => {
  await setRules(null);
  const target = await openTarget(box);
  await post(box, eventFor(target.threadId, { summary: 'word '.repeat(6_000), payload: { log: 'x'.repeat(20_000) } }));
  const [fragment] = fragmentsIn(await said(target, 'read it'));
  expect(fragment?.bytes).toBeLessThanOrEqual(4_000);
  expect(fragment?.events[0].summary).toMatch(/bytes cut\]$/);
  expect(fragment?.events[0].payload_cut_from_bytes).toBeGreaterThan(20_000);
});

test('[EV33] events for a thread that is not loaded wait for its resume, and are told once after a crash', async () => {
  await setRules([{ match_type: 'repo.*', delivery: 'append_to_thread' }]);
  const target = await openTarget(box);
  const pid = await box.codexPid();
  await box.kill();
  process.kill(pid, 'SIGKILL');
  await box.restart();
  await vi.waitFor(
    async () => {
      if (!(await box.must('status', {})).running) throw new Error('Codex is not up');
    },
    { timeout: 25_000 },
  );
  const queued = eventFor(target.threadId);
  const appended = eventFor(target.threadId, { type: 'repo.change' });
  await post(box, queued);
  await post(box, appended);
  await untilState(box, target, appended.event_id, 'held');
  const items = await said(target, 'after the crash');
  expect(toldIds(items).sort()).toEqual([queued.event_id, appended.event_id].map(String).sort());
  expect(toldIds(await said(target, 'once more'))).toHaveLength(2);
});
