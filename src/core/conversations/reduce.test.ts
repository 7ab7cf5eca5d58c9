/** A client's picture of a conversation. */
import { expect, test } from 'vitest';
import { TS } from '../../../test/recording.ts';
import type { Entry } from '../../contract/entry.ts';
import type { LiveEvent, ServerFrame, SyncFrame } from '../../contract/ui-event.ts';
import { sampleRow } from '../../testing/samples.ts';
import { IDLE_ACTIVITY } from './live.ts';
import { type ConversationView, EMPTY_VIEW, prependPage, reduceConversation } from './reduce.ts';

const conversation_id = `conv_${'0'.repeat(32)}`;
const entry = (seq: number): Entry => ({
  seq,
  ts: TS,
  role: 'assistant',
  text: `${seq}`,
  status: 'completed',
  turn_id: 't',
  item_id: `i${seq}`,
});
const durable = (seq: number): ServerFrame => ({ type: 'assistant_finalize', conversation_id, seq, entry: entry(seq) });
const delta = (after: number, item_id: string): LiveEvent => ({
  type: 'assistant_delta',
  conversation_id,
  after,
  item_id,
  turn_id: 't',
  offset: 0,
  delta: 'x',
});
const row = sampleRow({ id: conversation_id });

function sync(verdict: 'replay' | 'reset', seqs: readonly number[], seq: number): SyncFrame {
  const status = { activity: IDLE_ACTIVITY, usage: null, row };
  return { type: 'sync', conversation_id, verdict, seq, entries: seqs.map(entry), live: [], approvals: [], status };
}

const fold = (...frames: ServerFrame[]): ConversationView => frames.reduce(reduceConversation, EMPTY_VIEW);
const seqs = (view: ConversationView) => view.entries.map((one) => one.seq);

test('[CV14] a durable event that was told changes nothing', () => {
  const view = fold(durable(1), durable(2));
  expect(seqs(view)).toEqual([1, 2]);
  expect(reduceConversation(view, durable(2))).toBe(view);
  expect(reduceConversation(view, durable(1))).toBe(view);
});

test('[CV14] a live event from before the last durable one changes nothing', () => {
  const view = fold(delta(0, 'i1'), durable(1));
  expect(view.live.items).toEqual([]);
  expect(reduceConversation(view, delta(0, 'i1'))).toBe(view);
  expect(reduceConversation(view, delta(1, 'i2')).live.items).toHaveLength(1);
});

test('[L6] after a reconnect the client takes the missed events or a snapshot, and knows when that is all', () => {
  const before = fold(sync('reset', [1, 2], 2), { type: 'synchronized', conversation_id, seq: 2 }, delta(2, 'i3'));
  expect(before).toMatchObject({ isSynchronized: true, lastSeq: 2 });
  const missed = reduceConversation(before, sync('replay', [2, 3, 4], 4));
  expect([seqs(missed), missed.lastSeq, missed.isSynchronized, missed.live.items]).toEqual([
    [1, 2, 3, 4],
    4,
    false,
    [],
  ]);
  const anew = reduceConversation(before, sync('reset', [8, 9], 9));
  expect([seqs(anew), anew.lastSeq, anew.isSynchronized]).toEqual([[8, 9], 9, false]);
  expect(reduceConversation(anew, { type: 'synchronized', conversation_id, seq: 9 }).isSynchronized).toBe(true);
});

test('frames that are about something else change nothing', () => {
  const view = fold(durable(1));
  const others: ServerFrame[] = [
    { type: 'conversation', deleted: conversation_id },
    { type: 'rpc_response', id: 1, result: {} },
    { type: 'rpc_error', id: 1, code: 'x', message: '' },
    { type: 'unsubscribed', conversation_id },
    { type: 'refused', code: 'x', message: '' },
    {
      type: 'server_status',
      storage: 'ok',
      codex_warnings: [],
      codex: { state: 'ready', version: null, transport: 'unix', epoch: null, pid: null, message: null, demo: false },
    },
  ];
  for (const frame of others) expect(reduceConversation(view, frame)).toBe(view);
});

test('older pages go before the window, without repeats', () => {
  expect(seqs(prependPage(fold(sync('reset', [3, 4], 4)), [entry(1), entry(2), entry(3)]))).toEqual([1, 2, 3, 4]);
  expect(seqs(prependPage(EMPTY_VIEW, [entry(1)]))).toEqual([1]);
});
