/** Where messages stand in the transcript, and what their rows know about them. */
import { describe, expect, test } from 'vitest';
import type { Entry, NewEntry } from '../../contract/entry.ts';
import type { LiveItem } from '../../contract/ui-event.ts';
import { sampleEventItem } from '../../testing/samples.ts';
import { keyOfSeq } from '../state/past.ts';
import { deriveTranscript, EMPTY_TRANSCRIPT, rowOf } from './rows.ts';

const stamp = (seq: number, entry: NewEntry): Entry => ({ seq, ts: '2026-01-01T00:00:00.000Z', ...entry });
const said = (seq: number, mode: 'send' | 'steer' = 'send', more = {}): Entry =>
  stamp(seq, { role: 'user', text: `m${seq}`, client_message_id: `m${seq}`, mode, state: 'sent', ...more });
const delivery = (seq: number, of: number, state: 'sent' | 'delivered' | 'not_delivered', turn_id?: string): Entry =>
  stamp(seq, { role: 'delivery', client_message_id: `m${of}`, state, ...(turn_id !== undefined && { turn_id }) });
const answer = (seq: number, item_id: string): Entry =>
  stamp(seq, { role: 'assistant', text: 'a', status: 'completed', turn_id: 't', item_id });
const live = (...items: readonly LiveItem[]) => ({ ...EMPTY_TRANSCRIPT.source.live, items });
const making = (item_id: string): LiveItem => ({
  role: 'assistant',
  item_id,
  text: 'a',
  turn_id: 't',
  started_at_ms: 0,
  text_start: 0,
});

describe('[PG55] the row of a message', () => {
  test('keeps its key and its place from the first entry on, and is made anew only when something changed', () => {
    const sent = deriveTranscript(EMPTY_TRANSCRIPT, [said(1)], live());
    expect(rowOf(sent, 'seq:1')).toMatchObject({ kind: 'message', delivery: { state: 'sent' } });
    const delivered = deriveTranscript(sent, [said(1), delivery(2, 1, 'delivered', 't')], live(making('i')));
    expect(delivered.keys).toEqual(['seq:1', 'assistant:t:i']);
    expect(rowOf(delivered, 'seq:1')).toMatchObject({ delivery: { state: 'delivered', turn_id: 't' } });
    const [first, second] = [said(1), delivery(2, 1, 'delivered', 't')];
    const before = deriveTranscript(EMPTY_TRANSCRIPT, [first, second], live());
    const after = deriveTranscript(before, [first, second, answer(3, 'i')], live());
    expect(rowOf(after, 'seq:1')).toBe(rowOf(before, 'seq:1'));
  });

  test('in a part of the transcript knows no state that lies beyond it', () => {
    const part = deriveTranscript(EMPTY_TRANSCRIPT, [said(1)], live(), 'part');
    expect(rowOf(part, 'seq:1')).toMatchObject({ delivery: { state: 'unknown', repeated: 'unknown' } });
    const steer = deriveTranscript(EMPTY_TRANSCRIPT, [said(1, 'steer'), answer(2, 'i')], live(), 'part');
    expect(steer.keys).toEqual(['seq:1', 'assistant:t:i']);
  });

  test('a turn named by the delivery gives its words to an event that went along', () => {
    const event = stamp(3, {
      role: 'external_event',
      kind: 'received',
      thread_id: 'thr',
      events: [sampleEventItem({ event_seq: 7 })],
      event_seqs: [7],
      state: 'delivered',
      mode: 'queue_for_next_turn',
      turn_id: 't',
    });
    const t = deriveTranscript(EMPTY_TRANSCRIPT, [said(1), delivery(2, 1, 'delivered', 't'), event], live());
    expect(rowOf(t, 'seq:3')).toMatchObject({ standings: [{ turn: 'm1' }] });
  });
});

describe('[PG56] a steer', () => {
  const before = [said(1), delivery(2, 1, 'delivered', 't')];

  test('stands below what is being made until Codex takes it up, and there ever after', () => {
    const waiting = deriveTranscript(EMPTY_TRANSCRIPT, [...before, said(3, 'steer')], live(making('i')));
    expect(waiting.keys).toEqual(['seq:1', 'assistant:t:i', 'seq:3']);
    const all = [...before, said(3, 'steer'), answer(4, 'i'), delivery(5, 3, 'delivered', 't')];
    const taken = deriveTranscript(waiting, all, live(making('j')));
    expect(taken.keys).toEqual(['seq:1', 'assistant:t:i', 'seq:3', 'assistant:t:j']);
    expect(deriveTranscript(EMPTY_TRANSCRIPT, all, live(making('j'))).keys).toEqual(taken.keys);
    expect(deriveTranscript(taken, all, live()).keys).toEqual(['seq:1', 'assistant:t:i', 'seq:3']);
  });

  test('that was not delivered stands where that was recorded', () => {
    const all = [...before, said(3, 'steer'), answer(4, 'i'), delivery(5, 3, 'not_delivered'), answer(6, 'j')];
    const t = deriveTranscript(EMPTY_TRANSCRIPT, all, live());
    expect(t.keys).toEqual(['seq:1', 'assistant:t:i', 'seq:3', 'assistant:t:j']);
    expect([1, 2, 3, 4, 5, 6].map((seq) => keyOfSeq(t, seq))).toEqual([
      'seq:1',
      'seq:1',
      'seq:3',
      'assistant:t:i',
      'assistant:t:i',
      'assistant:t:j',
    ]);
  });
});
