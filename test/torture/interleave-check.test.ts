/** The checker of the interleaving rig finds what it is there to find. */
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The checker is plain JavaScript that knows nothing of the product. */
const { checkInterleaving } = (await import(join(import.meta.dirname, 'interleave-check.mjs'))) as {
  checkInterleaving(record: unknown, seen: unknown): { readonly law: string; readonly text: string }[];
};

const user = { seq: 1, role: 'user', text: '[i-a-1]', client_message_id: 'i-a-1', state: 'sent' };
const delivered = { seq: 2, role: 'delivery', client_message_id: 'i-a-1', state: 'delivered', turn_id: 't' };
const end = { seq: 3, role: 'status', turn_id: 't', turn_status: 'completed' };
const send = {
  operation: 'send',
  conversation: 0,
  marker: '[i-a-1]',
  id: 'i-a-1',
  askedAt: 1,
  answeredAt: 2,
  status: 200,
  body: { outcome: 'started' },
};
const conversation = {
  id: 'c',
  state: 'idle',
  label: null,
  archived: false,
  queue: [] as string[],
  entries: [user, delivered, end] as object[],
  told: { '[i-a-1]': 1 } as Record<string, number>,
};

const laws = (change: Partial<typeof conversation> = {}, record: object[] = [send], missingForks: string[] = []) =>
  checkInterleaving(record, { conversations: [{ ...conversation, ...change }], missingForks }).map(({ law }) => law);

test('a good round breaks no law', () => {
  expect(laws()).toEqual([]);
});

test.each([
  ['raw', {}, { ...send, status: 502, body: { code: 'codex_error', message: 'x' } }],
  ['raw', {}, { ...send, operation: 'archive', status: 409, body: { code: 'stale', message: 'thread not found: x' } }],
  ['raw', {}, { ...send, operation: 'fork', status: 404, body: { code: 'unknown_conversation', message: 'a: b' } }],
  ['unanswered', {}, { ...send, status: null, error: 'timeout' }],
  ['lost', { entries: [end].map((one) => ({ ...one, seq: 1 })), told: {} }, send],
  ['doubled', { queue: ['i-a-1'] }, send],
  ['unsettled', { entries: [user, { ...end, seq: 2 }], told: {} }, send],
  ['wrong-delivered', { told: {} }, send],
  ['wrong-delivered', { told: { '[i-a-1]': 2 } }, send],
  ['wrong-not-delivered', { entries: [user, { ...delivered, state: 'not_delivered' }, end] }, send],
  ['turns', { state: 'running' }, send],
  ['turns', { entries: [user, delivered, end, { ...end, seq: 4 }] }, send],
  ['transcript', { entries: [user, delivered, { ...end, seq: 4 }] }, send],
  ['rename', { label: 'other' }, { ...send, operation: 'rename' }],
  ['archive', { archived: true }, send],
] as const)('%s is found', (law, change, one) => {
  expect(laws(change as Partial<typeof conversation>, [one])).toContain(law);
});

test('a fork that is not there is found', () => {
  expect(laws({}, [send], ['c is 404'])).toEqual(['fork']);
});
