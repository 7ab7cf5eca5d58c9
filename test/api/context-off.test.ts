/** A conversation that wants no events, or no note: whatever a rule says, the model is told nothing, and what waits says why. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { ask, eventFor, eventsOf, openTarget, post, type Target, toldIds, untilState } from './events-stand.ts';

const WAIT = { timeout: 25_000, interval: 20 };
let box: Box;
beforeAll(async () => {
  box = await openBox();
  await box.must('writeEventRules', {
    rules: [
      { match_type: 'repo.*', delivery: 'append_to_thread' },
      { match_type: 'build.failed', delivery: 'auto_turn', prefer_steer: true },
    ],
    allow_sources: ['ci'],
  });
});
afterAll(() => box.close());

const turn = (target: Target, context: { events?: boolean; policy?: boolean }) =>
  box.must('patchConversation', { id: target.id, context });

const standingOf = async (target: Target, eventId: unknown) => {
  const found = (await eventsOf(box, target)).events.find((one) => one.event_id === eventId);
  return [found?.state, found?.reason];
};

const HELD = ['held', 'turned_off'];

test.each([
  ['queue_for_next_turn', { type: 'build.status' }, 'queued'],
  ['append_to_thread', { type: 'repo.change' }, 'appended'],
  ['auto_turn', { type: 'build.failed' }, 'queued'],
])(
  '[CT13] events are off: one for %s is held and says why, and is told when they are on again',
  async (_mode, change, next) => {
    const target = await openTarget(box);
    await turn(target, { events: false });
    const requests = box.model.requests.length;
    const event = eventFor(target.threadId, change);
    await post(box, event);
    await expect.poll(() => standingOf(target, event.event_id), WAIT).toEqual(HELD);
    expect(toldIds(await ask(box, target, 'anything?'))).toEqual([]);
    // The person's own turn, and none that an event began.
    expect(box.model.requests.length).toBe(requests + 1);
    await expect.poll(() => standingOf(target, event.event_id), WAIT).toEqual(HELD);
    await turn(target, { events: true });
    await expect.poll(() => standingOf(target, event.event_id), WAIT).toEqual([next, undefined]);
    expect(toldIds(await ask(box, target, 'and now?'))).toEqual([event.event_id]);
    expect(toldIds(await ask(box, target, 'and then?'))).toEqual([event.event_id]);
  },
);

test('[CT13] events are turned off: what waits is held from then on, also after a kill, and told when they are on again', async () => {
  const target = await openTarget(box);
  const [event, late] = [eventFor(target.threadId), eventFor(target.threadId)];
  await post(box, event);
  await expect.poll(() => standingOf(target, event.event_id), WAIT).toEqual(['queued', undefined]);
  await turn(target, { events: false });
  await expect.poll(() => standingOf(target, event.event_id), WAIT).toEqual(HELD);
  await box.restart();
  await post(box, late);
  await expect.poll(() => standingOf(target, late.event_id), WAIT).toEqual(HELD);
  expect(await standingOf(target, event.event_id)).toEqual(HELD);
  expect(toldIds(await ask(box, target, 'are you there?'))).toEqual([]);
  await turn(target, { events: true });
  expect(toldIds(await ask(box, target, 'go on')).sort()).toEqual([event.event_id, late.event_id].sort());
});

test('[CT13] events are off: that one waits is said when it comes, not after every turn', async () => {
  const target = await openTarget(box);
  await turn(target, { events: false });
  const event = eventFor(target.threadId, { type: 'repo.change' });
  await post(box, event);
  await expect.poll(() => standingOf(target, event.event_id), WAIT).toEqual(HELD);
  await ask(box, target, 'one');
  await ask(box, target, 'two');
  await expect.poll(() => standingOf(target, event.event_id), WAIT).toEqual(HELD);
  const said = (await box.entries(target.id)).filter((one) => one.role === 'external_event' && one.kind === 'state');
  expect(said).toEqual([]);
});

test('[CT13] events are off: none steers the turn that runs', async () => {
  const target = await openTarget(box);
  await turn(target, { events: false });
  box.model.push({
    match: 'off-gate',
    events: [{ say: 'words before' }, { gate: 'off-gate' }, { say: 'words after' }],
  });
  const watcher = await box.watch(target.id);
  await box.must('sendMessage', { conversation_id: target.id, text: 'off-gate' });
  await watcher.until((frame) => frame.type === 'assistant_finalize' || frame.type === 'assistant_delta', 'words');
  const requests = box.model.requests.length;
  const event = eventFor(target.threadId, { type: 'build.failed' });
  await post(box, event);
  await expect.poll(() => standingOf(target, event.event_id), WAIT).toEqual(HELD);
  box.model.release('off-gate');
  await watcher.turnEnd();
  expect(box.model.requests.length).toBe(requests);
  expect((await box.entries(target.id)).filter((one) => one.role === 'user')).toHaveLength(2);
});

test('[CT13] the note is off: what is put into the history goes without it too', async () => {
  const target = await openTarget(box);
  await turn(target, { policy: false });
  const event = eventFor(target.threadId, { type: 'repo.change' });
  await post(box, event);
  await untilState(box, target, event.event_id, 'appended');
  const items = await ask(box, target, 'what changed?');
  expect(toldIds(items)).toEqual([event.event_id]);
  expect(items.filter(({ text }) => text.includes('signalbox_policy'))).toEqual([]);
});

test('[CT21] new conversations begin as the settings say, one switch at a time', async () => {
  const all = { policy: true, terminal: true, peers: true, commands: true, events: true };
  expect((await box.must('readConfig', {})).context).toEqual(all);
  await box.must('writeConfig', { context: { commands: false } });
  await box.must('writeConfig', { context: { peers: false } });
  const chosen = { ...all, commands: false, peers: false };
  await box.restart();
  expect((await box.must('readConfig', {})).context).toEqual(chosen);
  const id = await box.create({});
  const { conversation } = await box.must('readConversation', { id });
  expect(conversation.context).toEqual(chosen);
  expect((await box.call('writeConfig', { context: { commands: 'no' } } as never)).ok).toBe(false);
  await box.must('writeConfig', { context: all });
  expect((await box.must('readConfig', {})).context).toEqual(all);
});
