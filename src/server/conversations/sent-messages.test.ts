/** Every message id of a conversation, the words of those on their way, and which of them nobody settled. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Entry } from '../../contract/entry.ts';
import { createIdFile } from '../../node/id-file.ts';
import { bodyOfQueued, createSentMessages } from './sent-messages.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sb-sent-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const open = () =>
  createSentMessages({
    ids: createIdFile({ path: join(dir, 'ids'), rebuild: async () => [] }),
    onError: (error) => {
      throw error;
    },
  });

let seq = 0;
const entry = (fields: object): Entry => {
  seq += 1;
  return Entry.parse({ seq, ts: '2026-01-01T00:00:00.000Z', ...fields });
};
const sent = (id: string, fields: object = {}) =>
  entry({ role: 'user', text: 'hello', client_message_id: id, mode: 'send', state: 'sent', ...fields });
const delivery = (id: string, state: string, fields: object = {}) =>
  entry({ role: 'delivery', client_message_id: id, state, ...fields });

test('[OB9] what became of a message is known from its entries', async () => {
  const messages = open();
  expect(await messages.stateOf('m1')).toBeNull();
  messages.see(sent('m1'));
  expect(await messages.stateOf('m1')).toBe('sent');
  messages.see(delivery('m1', 'delivered', { turn_id: 't1' }));
  expect(await messages.stateOf('m1')).toBe('delivered');
  messages.see(sent('m2'));
  messages.see(delivery('m2', 'not_delivered', { reason: 'codex_error', text: 'no' }));
  expect(await messages.stateOf('m2')).toBe('not_delivered');
  await messages.drain();
});

test('[OB9] an id that was noted is known for ever, also by the next server', async () => {
  const messages = open();
  messages.note('queued');
  messages.note('another');
  expect(await messages.stateOf('queued')).toBe('stored');
  await messages.drain();
  expect(await open().stateOf('another')).toBe('stored');
});

test('[OB9] an id whose entry is there and whose noting a kill prevented is noted at the next start', async () => {
  const messages = open();
  messages.see(sent('m1'));
  expect(await messages.stateOf('another')).toBeNull();
  await messages.drain();
  expect(await open().stateOf('m1')).toBe('stored');
});

test('[OB9] of very many messages the old ones are still known by their ids', async () => {
  const messages = open();
  for (let at = 0; at < 600; at += 1) {
    messages.see(sent(`m${at}`));
    messages.see(delivery(`m${at}`, 'delivered'));
  }
  messages.note('m0');
  expect(await messages.stateOf('m0')).toBe('stored');
  expect(await messages.stateOf('m599')).toBe('delivered');
  await messages.drain();
});

test('[OB16] messages that nobody settled are told with their mode, their turn and who spoke', () => {
  const messages = open();
  messages.see(sent('m1', { mode: 'queue' }));
  messages.see(sent('m2'));
  messages.see(delivery('m2', 'delivered'));
  messages.see(sent('event-turn-dlv_1', { turn_id: 't1' }));
  messages.see(sent('m3'));
  messages.see(delivery('m3', 'sent', { reason: 'codex_unavailable', text: 'again' }));
  expect(messages.unsettled()).toEqual([
    { id: 'm1', mode: 'queue', turnId: null, origin: 'person' },
    { id: 'event-turn-dlv_1', mode: 'send', turnId: 't1', origin: 'events' },
    { id: 'm3', mode: 'send', turnId: null, origin: 'person' },
  ]);
});

test('[OB16] an entry of before there were deliveries was written when Codex had the message', async () => {
  const messages = open();
  messages.see(entry({ role: 'user', text: 'old', client_message_id: 'm1' }));
  messages.see(entry({ role: 'user', text: 'typed elsewhere' }));
  expect(messages.unsettled()).toEqual([]);
  expect(await messages.stateOf('m1')).toBe('delivered');
  await messages.drain();
});

test('[OB16] the words of a message are kept until it is settled, also over a restart', () => {
  const messages = open();
  messages.keep('m1', { text: 'hello', images: [] });
  expect(messages.body('m1')?.text).toBe('hello');
  expect(messages.storedAtMs('m1')).toBeNull();
  messages.see(sent('m1'));
  expect(messages.storedAtMs('m1')).toBe(Date.parse('2026-01-01T00:00:00.000Z'));
  messages.see(delivery('m1', 'delivered'));
  expect(messages.body('m1')).toBeNull();
  const next = open();
  next.see(sent('m2', { text: 'again' }));
  expect(next.body('m2')).toEqual({ text: 'again', images: [] });
});

test('[OB16] a message of the queue is given as it was queued, and still names the one it repeats', () => {
  const queued = { client_message_id: 'm1', text: 'hello', images: [], queued_at: '2026-01-01T00:00:00.000Z' };
  expect(bodyOfQueued(queued)).toEqual({ text: 'hello', images: [] });
  expect(bodyOfQueued({ ...queued, retry_of: 'm0' })).toEqual({ text: 'hello', images: [], retryOf: 'm0' });
});
