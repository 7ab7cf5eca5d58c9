/** Conversations that reach each other over the board: as data by default, by rule a turn of its own, and never for ever. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { openTarget } from './events-stand.ts';

let box: Box;
beforeAll(async () => {
  box = await openBox();
});
afterAll(() => box?.close());

/** Of `external_events.max_hops`. */
const DEFAULT_MAX_HOPS = 3;
const WAIT = { timeout: 25_000, interval: 50 };
const call = (tool: string, args: Record<string, unknown>) => ({
  events: [{ call: tool, args, namespace: 'mcp__signalbox' }],
});
const DONE = { events: [{ say: 'done' }] };
const wakeByMessages = (isOn: boolean) =>
  box.must('writeEventRules', {
    rules: isOn ? [{ match_type: 'agent.message', delivery: 'auto_turn' }] : [],
    allow_sources: ['board'],
  });
const cards = async (id: string) => (await box.entries(id)).filter((entry) => entry.role === 'board');

test('[BD18] a mention is an event for the model: data, with the next message, once', async () => {
  await wakeByMessages(false);
  const { id } = await openTarget(box, { label: 'Listener' });
  const { num } = await box.must('boardPost', { who: 'ann', message: '@listener the cake is ready' }, 'token');
  await expect.poll(() => cards(id), WAIT).toMatchObject([{ num, told: true }]);
  // Nobody was woken by it.
  expect((await box.entries(id)).filter((entry) => entry.role === 'status')).toHaveLength(1);
  box.model.reset();
  const watcher = await box.watch(id);
  await box.must('sendMessage', { conversation_id: id, text: 'what is new?' });
  await watcher.turnEnd();
  const carried = box.model.requests.filter((request) => request.rawBody.includes('the cake is ready'));
  expect(carried.length).toBeGreaterThan(0);
  const [first] = carried;
  expect(first?.rawBody.split('the cake is ready').length).toBe(2);
  expect(first?.userText).not.toContain('the cake is ready');
  const long = await box.must('boardPost', { who: 'ann', message: `@listener ${'x"'.repeat(32_000)}` }, 'token');
  await expect.poll(() => cards(id), WAIT).toMatchObject([{ num }, { num: long.num, told: true }]);
});

test('[BD19] controller and worker finish a task with no person in between', async () => {
  const controller = await openTarget(box, { label: 'Controller' });
  const worker = await openTarget(box, { label: 'Crew' });
  await wakeByMessages(true);
  box.model.reset();
  const { last_num } = await box.must('boardList', { limit: 1 });
  const task = last_num + 1;
  box.model.push(
    { match: { body: 'start the work' }, ...call('agent_send_message', { to: 'Crew', message: 'count the ducks' }) },
    { match: { body: 'start the work' }, ...DONE },
    { match: { body: 'count the ducks' }, ...call('agent_log_post', { message: 'seven ducks', reply_to: task }) },
    { match: { body: 'count the ducks' }, ...DONE },
    { match: { body: 'seven ducks' }, events: [{ say: 'The answer is seven.' }] },
  );
  await box.must('sendMessage', { conversation_id: controller.id, text: 'start the work' });
  const answers = async () =>
    (await box.entries(controller.id)).flatMap((entry) => (entry.role === 'assistant' ? [entry.text] : []));
  await expect.poll(answers, WAIT).toContain('The answer is seven.');
  expect((await box.must('boardList', { after: last_num })).messages).toMatchObject([
    { who: 'Controller', message: 'count the ducks', hops: 1, for: [worker.id] },
    { who: 'Crew', message: 'seven ducks', hops: 2, for: [controller.id], reply_to: task },
  ]);
  expect(await cards(worker.id)).toMatchObject([{ num: task, told: true }]);
  expect(await cards(controller.id)).toMatchObject([{ num: task + 1, told: true }]);
});

test('[BD20] two that answer each other are stopped, with every post still on the board', async () => {
  const tick = await openTarget(box, { label: 'Tick' });
  const tock = await openTarget(box, { label: 'Tock' });
  const watcher = await box.watch(tock.id);
  await box.must('sendMessage', { conversation_id: tock.id, text: 'this is tock' });
  await watcher.turnEnd();
  await wakeByMessages(true);
  box.model.reset();
  const { last_num } = await box.must('boardList', { limit: 1 });
  // Whoever is woken tells the other one, for as long as it is woken.
  for (let at = 0; at < 30; at += 1)
    for (const [body, to] of [
      ['begin the loop', 'Tock'],
      ['this is tock', 'Tick'],
    ] as const)
      box.model.push(
        { match: { body }, ...call('agent_send_message', { to, message: 'again' }) },
        { match: { body }, ...DONE },
      );
  await box.must('sendMessage', { conversation_id: tick.id, text: 'begin the loop' });
  const stopped = async () => {
    const pages = [tick, tock].map(({ threadId }) => box.must('listEvents', { thread_id: threadId }));
    return (await Promise.all(pages)).flatMap(({ events }) => events.filter((one) => one.reason === 'hop_limit'));
  };
  await expect.poll(stopped, WAIT).toHaveLength(1);
  const { messages } = await box.must('boardList', { after: last_num, limit: 100 });
  expect(messages.map(({ hops }) => hops)).toEqual(messages.map((_one, at) => at + 1));
  expect(messages.length).toBeGreaterThan(1);
  expect(messages.length).toBeLessThanOrEqual(DEFAULT_MAX_HOPS + 1);
});
