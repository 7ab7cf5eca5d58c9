/** What the page sends, and what it keeps until the transcript has it. */
import { expect, test } from 'vitest';
import type { Entry } from '../../contract/entry.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ServerFrame } from '../../contract/ui-event.ts';
import type { Call } from './call.ts';
import { createPorts } from './command-ports.ts';
import { foldFrames } from './fold.ts';
import { createMessageCommands } from './message-commands.ts';
import { spokenBy } from './speech.ts';
import { createAppStore } from './store.ts';

const ID = 'conv_a';
const lost: Extract<Entry, { role: 'user' }> = {
  seq: 1,
  ts: '2026-01-01T00:00:00Z',
  role: 'user',
  text: 'do it',
  images: [{ kind: 'url', value: 'data:image/png;base64,AA' }],
  client_message_id: 'm1',
  mode: 'steer',
  state: 'sent',
};

/** `answer` gets what was sent. */
function setUp(answer: (input: Record<string, unknown>) => Result<unknown>) {
  const store = createAppStore();
  store.setState({ openId: ID });
  const asked: Record<string, unknown>[] = [];
  const call = (async (_id: string, input: Record<string, unknown>) => {
    asked.push(input);
    return answer(input);
  }) as unknown as Call;
  const ports = { ...createPorts(store, call), readMeta: async () => {}, leavePast: () => {} };
  return { store, asked, commands: createMessageCommands(ports) };
}

const started = (input: Record<string, unknown>) =>
  ok({ ok: true, outcome: 'started', client_message_id: input.client_message_id, turn_id: 't' });
const frame = (seq: number, entry: object): ServerFrame =>
  ({ type: 'message', conversation_id: ID, seq, entry: { seq, ts: lost.ts, ...entry } }) as ServerFrame;

test('[PG55] a message stays in the outbox until its entry arrives', async () => {
  const { store, asked, commands } = setUp(started);
  expect(await commands.send(ID, { text: 'hi', images: [], mode: 'send' })).toBeNull();
  expect(store.getState().outbox).toMatchObject([{ text: 'hi', mode: 'send' }]);
  const entry = { role: 'user', text: 'hi', client_message_id: asked[0]?.client_message_id, state: 'sent' };
  expect(foldFrames(store.getState(), [frame(1, entry)]).outbox).toEqual([]);
});

test('[PG23] a message that the server refused is given back', async () => {
  const { store, commands } = setUp(() => fail('codex_unavailable', 'Codex is away.'));
  expect(await commands.send(ID, { text: 'hi', images: [], mode: 'send' })).toMatchObject({
    message: 'Codex is away.',
  });
  expect(store.getState().outbox).toEqual([]);
});

test('[PG57] a message that was refused after it was stored is not given back: the transcript shows it', async () => {
  const { store, commands } = setUp(() => fail('codex_unavailable', 'Codex is away.', { stored: true }));
  expect(await commands.send(ID, { text: 'hi', images: [], mode: 'send' })).toBeNull();
  expect(store.getState().outbox).toHaveLength(1);
  // The same when the answer got lost, but the entry arrived.
  const cut = setUp((input) => {
    const entry = { role: 'user', text: 'hi', client_message_id: input.client_message_id, state: 'sent' };
    cut.store.setState(foldFrames(cut.store.getState(), [frame(1, entry)]));
    return fail('not_running', 'The server cannot be reached.');
  });
  expect(await cut.commands.send(ID, { text: 'hi', images: [], mode: 'send' })).toBeNull();
});

test('[PG57] sending again repeats words and images under a new id', async () => {
  const { store, asked, commands } = setUp(started);
  await commands.sendAgain(ID, lost);
  expect(asked).toMatchObject([{ text: 'do it', images: lost.images, retry_of: 'm1', mode: 'send' }]);
  const id = asked[0]?.client_message_id;
  expect(id).not.toBe('m1');
  expect(store.getState().repeats.get('m1')).toBe(id);
  const { view } = store.getState();
  const activity = { state: 'running', text: '', turn_id: 't', lamp: 'off' } as const;
  store.setState({ view: { ...view, live: { ...view.live, activity } } });
  await commands.sendAgain(ID, lost);
  await commands.sendAgain(ID, { ...lost, mode: 'send' });
  expect(asked.map((input) => input.mode)).toEqual(['send', 'steer', 'queue']);
});

test('[PG57] a repetition that fails says so', async () => {
  const { store, commands } = setUp(() => fail('storage_full', 'The disk is full.'));
  await commands.sendAgain(ID, lost);
  expect(store.getState().toasts).toMatchObject([{ text: 'The disk is full.', tone: 'error' }]);
});

test('[PG58] a screen reader is told once that a message was not delivered', () => {
  const { store } = setUp(started);
  const told = frame(5, { role: 'delivery', client_message_id: 'm1', state: 'not_delivered', text: 'Codex stopped.' });
  const before = store.getState();
  expect(spokenBy(before, [told])).toBe('Your message was not delivered: Codex stopped.');
  expect(spokenBy({ ...before, ...foldFrames(before, [told]) }, [told])).toBeNull();
  const fine = frame(6, { role: 'delivery', client_message_id: 'm1', state: 'delivered' });
  expect(spokenBy(before, [fine])).toBeNull();
});
