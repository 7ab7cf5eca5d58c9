/** Stretches of a transcript, and which row shows an entry. */
import { expect, test } from 'vitest';
import type { Entry } from '../../contract/entry.ts';
import { EMPTY_VIEW } from '../../core/conversations/reduce.ts';
import { sampleEventItem } from '../../testing/samples.ts';
import { deriveTranscript, EMPTY_TRANSCRIPT } from '../transcript/rows.ts';
import { joinEntries, keyOfSeq } from './past.ts';

const note = (seq: number): Entry => ({
  seq,
  ts: '2026-01-01T00:00:00Z',
  role: 'note',
  kind: 'api',
  text: `n${seq}`,
});
const thought = (seq: number): Entry => ({
  seq,
  ts: '2026-01-01T00:00:00Z',
  role: 'reasoning',
  text: `t${seq}`,
  status: 'completed',
});
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => note(from + at));

test('stretches that touch or overlap become one', () => {
  expect(joinEntries(range(1, 3), range(4, 6))?.map((entry) => entry.seq)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(joinEntries(range(1, 5), range(4, 6))?.map((entry) => entry.seq)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(joinEntries(range(-2, 0), range(1, 2))?.map((entry) => entry.seq)).toEqual([-2, -1, 0, 1, 2]);
});

test('a gap stays a gap', () => {
  expect(joinEntries(range(1, 3), range(5, 6))).toBeNull();
  expect(joinEntries([], range(5, 6))).toBeNull();
});

test('an entry merged into a row is found by that row', () => {
  const entries = [note(1), thought(2), thought(3), note(4)];
  const transcript = deriveTranscript(EMPTY_TRANSCRIPT, entries, EMPTY_VIEW.live);
  expect(keyOfSeq(transcript, 1)).toBe('seq:1');
  expect(keyOfSeq(transcript, 3)).toBe(keyOfSeq(transcript, 2));
  expect(keyOfSeq(transcript, 4)).toBe('seq:4');
  expect(keyOfSeq(transcript, 0)).toBeNull();
});

test('an entry below an event is found by its own row', () => {
  const event: Entry = {
    seq: 2,
    ts: '2026-01-01T00:00:00Z',
    role: 'external_event',
    kind: 'received',
    thread_id: 'thr',
    events: [sampleEventItem()],
    event_seqs: [1],
    state: 'queued',
    mode: 'queue_for_next_turn',
  };
  const transcript = deriveTranscript(EMPTY_TRANSCRIPT, [note(1), event, note(3)], EMPTY_VIEW.live);
  expect([1, 2, 3].map((seq) => keyOfSeq(transcript, seq))).toEqual(['seq:1', 'seq:2', 'seq:3']);
});
