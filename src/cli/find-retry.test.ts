/** [CL34] Which message `retry` sends again. */
import { expect, test } from 'vitest';
import { Entry, type NewEntry } from '../contract/entry.ts';
import { retryOf } from './find-retry.ts';

const entriesOf = (...entries: readonly NewEntry[]): Entry[] =>
  entries.map((entry, at) => Entry.parse({ seq: at + 1, ts: '2026-01-01T00:00:00.000Z', ...entry }));
const said = (id: string, text: string): NewEntry => ({
  role: 'user',
  text,
  client_message_id: id,
  mode: 'send',
  state: 'sent',
});
const ended = (turn_status: 'completed' | 'failed' | 'interrupted'): NewEntry => ({
  role: 'status',
  status: turn_status === 'completed' ? 'success' : 'error',
  turn_status,
  duration_ms: 1,
});

test('[CL34] a message that was not delivered names the one it repeats', () => {
  const lost: NewEntry = {
    role: 'delivery',
    client_message_id: 'm2',
    state: 'not_delivered',
    reason: 'codex_exited',
    text: 'Codex stopped.',
  };
  const entries = entriesOf(said('m1', 'first'), ended('completed'), said('m2', 'second'), lost);
  expect(retryOf(entries)).toEqual({ ok: true, value: { text: 'second', images: [], retryOf: 'm2' } });
});

test.each(['failed', 'interrupted'] as const)('[CL34] the message of a turn that %s is sent anew', (status) => {
  expect(retryOf(entriesOf(said('m1', 'first'), ended(status)))).toEqual({
    ok: true,
    value: { text: 'first', images: [] },
  });
});

test.each([
  ['nothing was said', []],
  ['the turn still runs', [said('m1', 'first')]],
  ['it was answered', [said('m1', 'first'), ended('completed')]],
  ['an older turn failed', [said('m1', 'first'), ended('failed'), said('m2', 'second'), ended('completed')]],
] satisfies [string, NewEntry[]][])('[CL34] nothing is sent again when %s', (_when, entries) => {
  expect(retryOf(entriesOf(...entries))).toMatchObject({ ok: false, error: { code: 'conflict' } });
});
