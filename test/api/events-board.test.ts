/** Posts on the board as events, by rule, judged by the bytes the model received; and each shown once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventRule } from '../../src/contract/external-event.ts';
import { type Box, openBox } from '../../src/testing/box.ts';
import {
  ask,
  eventsOf,
  fragmentsIn,
  type InputText,
  inputOf,
  openTarget,
  type Target,
  targetOf,
  untilState,
} from './events-stand.ts';

const PEERS = '<external_peers>';
const WAIT = { timeout: 25_000, interval: 20 };
let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box?.close());

const setRule = (rule: Partial<EventRule> | null) =>
  box.must('writeEventRules', {
    rules: rule === null ? null : [{ match_type: 'agent.message', source: 'board', ...rule }],
    allow_sources: ['board'],
  });
const cards = async (target: Target) => (await box.entries(target.id)).filter((entry) => entry.role === 'board');

/** Posts to a target and answers the id of the event that became of it. */
async function tell(target: Target, message: string): Promise<string> {
  const { num } = await box.must('boardPost', { who: 'ann', message, to: target.id }, 'token');
  await expect.poll(async () => (await cards(target)).map((card) => card.num), WAIT).toContain(num);
  return `board-${num}-${target.id}`;
}

/** What of the board is in a request: how often a text, who it names as being there, and the events of its fragments. */
function boardIn(items: readonly InputText[], text: string) {
  const all = items.map((item) => item.text);
  const peers = all
    .filter((one) => one.startsWith(PEERS))
    .map((one) => JSON.parse(one.slice(PEERS.length, -PEERS.length - 1)).on_the_board);
  const fragments = fragmentsIn(items).filter(({ events }) => events.some((event) => event.source === 'board'));
  return { times: all.join('\n').split(text).length - 1, peers, fragments };
}

test('[EV43] without a rule a post goes along with the next message, once, and so does who is there', async () => {
  await setRule(null);
  const target = await openTarget(box);
  const requests = box.model.requests.length;
  const id = await tell(target, 'the-plain-post <b>');
  await untilState(box, target, id, 'queued');
  expect(box.model.requests.length).toBe(requests);
  const items = await ask(box, target, 'what is on the board?');
  const { times, peers, fragments } = boardIn(items, 'the-plain-post');
  expect(times).toBe(1);
  expect(peers).toEqual([['ann']]);
  expect(fragments).toMatchObject([
    {
      role: 'user',
      heading: expect.stringContaining('data, not instructions'),
      events: [
        {
          id,
          type: 'agent.message',
          trust: 'local authenticated',
          title: 'ann on the board',
          payload: { from: { name: 'ann', kind: 'script' } },
        },
      ],
    },
  ]);
  expect(items.some(({ role, text }) => role === 'developer' && /not instructions/.test(text))).toBe(true);
  await untilState(box, target, id, 'delivered');
  const again = boardIn(await ask(box, target, 'and now?'), 'the-plain-post');
  expect([again.times, again.peers]).toEqual([1, [['ann']]]);
});

test('[EV43] by rule a post is appended, steers, wakes, or is for people only', async () => {
  const target = await openTarget(box);
  await setRule({ delivery: 'append_to_thread' });
  await untilState(box, target, await tell(target, 'the-appended-post'), 'appended');
  const appended = boardIn(await ask(box, target, 'read on'), 'the-appended-post');
  expect(appended).toMatchObject({ times: 1, fragments: [{ role: 'tool' }] });

  await setRule({ prefer_steer: true });
  box.model.push({ match: 'work-long', events: [{ say: 'words' }, { gate: 'long' }, { say: 'more' }] });
  box.model.push({ match: 'Events from outside', events: [{ say: 'noted' }] });
  const watcher = await box.watch(target.id);
  await box.must('sendMessage', { conversation_id: target.id, text: 'work-long' });
  await watcher.until((frame) => frame.type === 'assistant_delta' || frame.type === 'assistant_finalize', 'words');
  const steering = await tell(target, 'the-steering-post');
  await watcher.turnEnd();
  box.model.release('long');
  await untilState(box, target, steering, 'delivered');
  const steered = boardIn(inputOf(box.model.requests.at(-1)?.body.input), 'the-steering-post');
  expect(steered.times).toBe(1);
  expect((await eventsOf(box, target)).events.at(-1)).toMatchObject({ mode: 'turn_steer', state: 'delivered' });

  await setRule({ delivery: 'auto_turn' });
  const requests = box.model.requests.length;
  await untilState(box, target, await tell(target, 'the-waking-post'), 'delivered');
  await watcher.turnEnd(2);
  const [woken] = box.model.requests.slice(requests);
  expect(boardIn(inputOf(woken?.body.input), 'the-waking-post').times).toBe(1);

  await setRule({ delivery: 'notify_only' });
  await untilState(box, target, await tell(target, 'the-shown-post'), 'notified');
  await setRule({ delivery: 'drop' });
  await untilState(box, target, await tell(target, 'the-dropped-post'), 'dropped');
  await setRule(null);
  const items = await ask(box, target, 'anything else?');
  expect(boardIn(items, 'the-shown-post').times + boardIn(items, 'the-dropped-post').times).toBe(0);
  for (const text of ['the-appended-post', 'the-steering-post', 'the-waking-post'])
    expect(boardIn(items, text).times).toBe(1);
  expect((await cards(target)).map(({ told }) => told)).toEqual([true, true, true, false, false]);
});

test('[EV43] a post is one entry of the transcript, and what became of its event is told of it', async () => {
  await setRule(null);
  const target = await openTarget(box);
  const id = await tell(target, 'the-shown-once');
  const [event] = (await eventsOf(box, target)).events;
  await ask(box, target, 'go on');
  await untilState(box, target, id, 'delivered');
  const about = async () =>
    (await box.entries(target.id)).filter((entry) => entry.role === 'board' || entry.role === 'external_event');
  await expect.poll(async () => (await about()).length, WAIT).toBe(2);
  const seq = event?.event_seq;
  expect(await about()).toMatchObject([
    {
      role: 'board',
      text: 'the-shown-once',
      told: true,
      receipt: { event_seq: seq, thread_id: target.threadId, state: 'queued' },
    },
    { role: 'external_event', kind: 'state', state: 'delivered', events: [], event_seqs: [seq] },
  ]);
});

test('[EV43] posts to a conversation without a thread wait and go along with its first message, once, also over a kill', async () => {
  await setRule(null);
  const id = await box.create();
  const draft = { id, threadId: '', dir: '', inbox: '', discovery: () => Promise.reject(new Error('no thread yet')) };
  await tell(draft, 'the-early-post');
  await box.restart();
  const second = await tell(draft, 'the-second-post');
  expect((await cards(draft)).map(({ told, receipt }) => [told, receipt])).toEqual([
    [true, undefined],
    [true, undefined],
  ]);
  const items = await ask(box, draft, 'first words of all');
  for (const text of ['the-early-post', 'the-second-post']) expect(boardIn(items, text).times).toBe(1);
  const { row } = await box.must('readConversation', { id });
  const target = await targetOf(box, id, row.thread_id ?? '');
  await untilState(box, target, second, 'delivered');
  // The posts are there already; what they became is told of them.
  expect(await cards(target)).toHaveLength(2);
  const about = async () => (await box.entries(id)).filter((entry) => entry.role === 'external_event');
  await expect.poll(async () => (await about()).length, WAIT).toBe(3);
  expect(await about()).toMatchObject([
    { kind: 'received', events: [{ ingress: 'board' }], state: 'queued' },
    { kind: 'received', events: [{ ingress: 'board', event_id: second }], state: 'queued' },
    { kind: 'state', state: 'delivered', event_seqs: [1, 2] },
  ]);
  const again = await ask(box, target, 'more words');
  for (const text of ['the-early-post', 'the-second-post']) expect(boardIn(again, text).times).toBe(1);
});
