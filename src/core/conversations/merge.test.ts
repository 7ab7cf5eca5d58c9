/** Which conversation owns a thread, and what it gets of the others. */
import { expect, test } from 'vitest';
import type { Entry } from '../../contract/entry.ts';
import { conversationIdOfThread } from '../../contract/ids.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { entriesToAdd, findDuplicates, mergeMetas } from './merge.ts';

const THREAD = '0199a7c4-5d1e-7f00-8000-0123456789ab';
const own = sampleMeta({ thread_id: THREAD, created_at: '2026-01-02T00:00:00.000Z' });
const imported = sampleMeta({ thread_id: THREAD, conversation_id: conversationIdOfThread(THREAD) });

test('[CS18] the conversation that started a thread owns it, whatever their order and age', () => {
  const other = sampleMeta({ conversation_id: `conv_${'b'.repeat(32)}`, thread_id: 'another' });
  for (const metas of [
    [own, imported, other],
    [other, imported, own],
  ])
    expect(findDuplicates(metas)).toEqual([{ owner: own, copies: [imported] }]);
  expect(findDuplicates([own, other, sampleMeta(), sampleMeta()])).toEqual([]);
});

const at = (seq: number) => ({ seq, ts: `2026-01-01T00:00:0${seq}.000Z` });
const OWNER: Entry[] = [
  { ...at(1), role: 'user', text: 'a', turn_id: 't1', item_id: 'u1' },
  { ...at(2), role: 'status', status: 'success', turn_status: 'completed', duration_ms: 1, turn_id: 't1' },
];
const COPY: Entry[] = [
  // The same message, as the conversation recorded it that sent it.
  { ...at(1), role: 'user', text: 'a', client_message_id: 'm1', state: 'sent' },
  { ...at(2), role: 'delivery', client_message_id: 'm1', state: 'delivered', turn_id: 't1', item_id: 'u1' },
  { ...at(3), role: 'status', status: 'success', turn_status: 'completed', duration_ms: 1, turn_id: 't1' },
  { ...at(4), role: 'note', kind: 'api', text: 'n' },
  { ...at(5), role: 'user', text: 'b', client_message_id: 'm2', state: 'sent' },
  { ...at(6), role: 'delivery', client_message_id: 'm2', state: 'delivered', turn_id: 't2', item_id: 'u2' },
];

test('[CS18] the owner gets each entry it lacks once, also when the merge is repeated after a kill', () => {
  const added = entriesToAdd(OWNER, COPY);
  expect(added.map((entry) => entry.seq)).toEqual([4, 5, 6]);
  const after = [...OWNER, ...added.map((entry, index) => ({ ...entry, seq: 3 + index }))];
  expect(entriesToAdd(after, COPY)).toEqual([]);
});

test('[CS18] what waited in a copy waits in the owner, once', () => {
  const queued = (id: string) => ({ client_message_id: id, text: id, images: [], queued_at: '' });
  const copy = { ...imported, queue: [queued('x'), queued('y')], draft: 'late', queue_paused: true };
  const merged = mergeMetas({ ...own, queue: [queued('x')], draft: '' }, copy);
  expect(merged).toMatchObject({ conversation_id: own.conversation_id, draft: 'late', queue_paused: true });
  expect(merged.queue.map((one) => one.client_message_id)).toEqual(['x', 'y']);
  expect(mergeMetas(merged, copy).queue).toHaveLength(2);
});
