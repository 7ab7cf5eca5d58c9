/** What became of a message, from the entries about it. */
import { describe, expect, test } from 'vitest';
import type { Entry, EntryOf, NewEntry } from '../../contract/entry.ts';
import { deliveryOf, gatherDeliveries, isSameDelivery, type Reach } from './reduce-deliveries.ts';

const stamped = (entries: readonly NewEntry[]): Entry[] =>
  entries.map((entry, at) => ({ seq: at + 1, ts: '2026-01-01T00:00:00.000Z', ...entry }));
const sent = (id: string, more: Partial<EntryOf<'user'>> = {}): NewEntry => ({
  role: 'user',
  text: id,
  client_message_id: id,
  state: 'sent',
  ...more,
});
const delivery = (id: string, state: 'sent' | 'delivered' | 'not_delivered', more = {}): NewEntry => ({
  role: 'delivery',
  client_message_id: id,
  state,
  ...more,
});

/** What became of the first message. */
function first(entries: readonly NewEntry[], reach: Reach = 'end') {
  const all = stamped(entries);
  const message = all.find((entry) => entry.role === 'user');
  if (message?.role !== 'user') throw new Error('no message among the entries');
  return deliveryOf(message, gatherDeliveries(all, reach));
}

describe('[PG55] what became of a message', () => {
  test('the newest delivery entry of its id counts, and names the turn', () => {
    expect(first([sent('a')])).toEqual({ state: 'sent', repeated: 'no' });
    const lost = delivery('a', 'not_delivered', { reason: 'codex_exited', text: 'Codex stopped.' });
    expect(first([sent('a'), sent('b'), delivery('b', 'delivered'), lost])).toEqual({
      state: 'not_delivered',
      reason: 'codex_exited',
      text: 'Codex stopped.',
      repeated: 'no',
    });
    const again = [sent('a'), lost, delivery('a', 'sent'), delivery('a', 'delivered', { turn_id: 't', item_id: 'i' })];
    expect(first(again)).toEqual({ state: 'delivered', turn_id: 't', item_id: 'i', repeated: 'no' });
    expect(first(again.slice(0, 3))).toEqual({ state: 'sent', repeated: 'no' });
  });

  test('a message without a state was reported by Codex itself', () => {
    expect(first([{ role: 'user', text: 'hi', turn_id: 't', item_id: 'i' }])).toEqual({
      state: 'delivered',
      turn_id: 't',
      item_id: 'i',
      repeated: 'no',
    });
    // One of ours from before messages had a state.
    expect(first([{ role: 'user', text: 'hi', client_message_id: 'a', turn_id: 't' }]).state).toBe('delivered');
  });

  test('where newer entries are not at hand, what cannot be known is unknown, not pending', () => {
    expect(first([sent('a')], 'part')).toEqual({ state: 'unknown', repeated: 'unknown' });
    const lost = [sent('a'), delivery('a', 'not_delivered')];
    expect(first(lost, 'part')).toEqual({ state: 'not_delivered', repeated: 'unknown' });
    expect(first([...lost, sent('b', { retry_of: 'a' })], 'part').repeated).toBe('yes');
  });

  test('a message that a newer one repeats says so', () => {
    const all = [sent('a'), delivery('a', 'not_delivered'), sent('b', { retry_of: 'a' })];
    expect(first(all)).toEqual({ state: 'not_delivered', repeated: 'yes' });
  });

  test('two of them are the same if nothing that is shown differs', () => {
    const one = first([sent('a'), delivery('a', 'delivered', { turn_id: 't' })]);
    expect(isSameDelivery(one, { ...one })).toBe(true);
    expect(isSameDelivery(one, undefined)).toBe(false);
    for (const other of [{ state: 'sent' }, { turn_id: 'u' }, { item_id: 'i' }, { text: 'x' }, { repeated: 'yes' }])
      expect(isSameDelivery(one, { ...one, ...other } as typeof one)).toBe(false);
  });
});
