/** What each frame of the server changes on the page, and what it leaves alone. */
import { describe, expect, test } from 'vitest';
import type { ConversationId } from '../../contract/ids.ts';
import type { CodexStatus, ServerFrame } from '../../contract/ui-event.ts';
import { EMPTY_LIVE } from '../../core/conversations/live.ts';
import { sampleRow } from '../../testing/samples.ts';
import { foldFrames } from './fold.ts';
import { type AppState, createAppStore } from './store.ts';

const OPEN = `conv_${'a'.repeat(32)}`;
const OTHER = `conv_${'b'.repeat(32)}`;
const START: AppState = { ...createAppStore().getState(), openId: OPEN };

const fold = (frames: readonly ServerFrame[], state = START): AppState => ({ ...state, ...foldFrames(state, frames) });

const note = (seq: number, id: ConversationId = OPEN): ServerFrame => ({
  type: 'note',
  conversation_id: id,
  seq,
  entry: { seq, ts: '2026-01-01T00:00:00Z', role: 'note', kind: 'api', text: `n${seq}` },
});

function sync(verdict: 'replay' | 'reset', seq: number, hasMore?: boolean): ServerFrame {
  const status = { activity: EMPTY_LIVE.activity, usage: null, row: sampleRow({ id: OPEN, label: 'fresh' }) };
  const more = hasMore === undefined ? {} : { has_more: hasMore };
  const common = { conversation_id: OPEN, verdict, seq, entries: [], live: [], approvals: [], status };
  return { type: 'sync', ...common, ...more };
}

const seqs = (state: AppState) => state.view.entries.map((entry) => entry.seq);

describe('the open conversation', () => {
  test('hears its own events and no others', () => {
    const after = fold([note(1), note(2, OTHER), note(2)]);
    expect(seqs(after)).toEqual([1, 2]);
    expect(after.transcript.keys).toHaveLength(2);
  });

  test('is ready with its sync, whose row goes into the list', () => {
    const after = fold([sync('reset', 0, false)]);
    expect(after).toMatchObject({ openState: 'ready', hasMore: false });
    expect(after.list.get(OPEN)?.label).toBe('fresh');
    expect(fold([sync('reset', 0)]).hasMore).toBe(true);
    // What is older is known from before.
    expect(fold([sync('replay', 0)], { ...START, hasMore: false }).hasMore).toBe(false);
  });

  test('is missing when it is refused as unknown, and only then', () => {
    const refused = (code: string, conversation_id: string): ServerFrame => ({
      type: 'refused',
      code,
      message: '',
      conversation_id,
    });
    expect(fold([refused('unknown_conversation', OPEN)]).openState).toBe('missing');
    expect(fold([refused('internal', OPEN)]).openState).toBe('loading');
    expect(fold([refused('unknown_conversation', OTHER)]).openState).toBe('loading');
  });

  test('knows how far its running command has printed', () => {
    const block_id = `blk_${'0'.repeat(32)}`;
    const output = (conversation_id: string): ServerFrame => ({
      type: 'block_output',
      conversation_id,
      after: 0,
      block_id,
      output_bytes: 7,
    });
    expect(fold([output(OPEN)]).printed).toEqual({ blockId: block_id, bytes: 7 });
    expect(fold([output(OTHER)]).printed).toBeNull();
  });

  test('keeps a bounded window while its end is followed, and all while somebody reads', () => {
    const many = Array.from({ length: 601 }, (_none, at) => note(at + 1));
    const pinned = fold(many, { ...START, hasMore: false });
    expect([seqs(pinned).at(0), seqs(pinned).length, pinned.hasMore]).toEqual([202, 400, true]);
    const free = fold(many, { ...START, hasMore: false, follow: 'free' });
    expect([seqs(free).length, free.hasMore]).toEqual([601, false]);
  });

  test('goes on behind a stretch of the past that is shown instead', () => {
    const past = { entries: [], liveHasMore: false };
    const state = { ...START, past, hasMore: true };
    const after = fold([note(1), sync('reset', 1, true)], state);
    expect(after.transcript).toBe(state.transcript);
    expect([after.past?.liveHasMore, after.hasMore]).toEqual([true, true]);
    expect(after.view.lastSeq).toBe(1);
  });
});

test('a message leaves the outbox when the transcript has it', () => {
  const one = { conversationId: OPEN, clientMessageId: 'm1', text: 'hi', images: [], mode: 'send' } as const;
  const state = { ...START, outbox: [one, { ...one, clientMessageId: 'm2' }] };
  const echo: ServerFrame = {
    type: 'message',
    conversation_id: OPEN,
    seq: 1,
    entry: { seq: 1, ts: '2026-01-01T00:00:00Z', role: 'user', text: 'hi', client_message_id: 'm1' },
  };
  expect(fold([echo], state).outbox.map((left) => left.clientMessageId)).toEqual(['m2']);
  expect(fold([note(1)], state).outbox).toBe(state.outbox);
});

test('lists, the state of Codex and unread events are of the whole page', () => {
  const codex: CodexStatus = {
    state: 'ready',
    version: '1.0.0',
    transport: 'unix',
    epoch: 'e',
    pid: 1,
    message: null,
    demo: false,
  };
  const news = (conversation_id: string, unread: number): ServerFrame => ({
    type: 'notification',
    method: 'externalEvent/received',
    params: { thread_id: 't', conversation_id, events: [], count: 1, unread },
  });
  const after = fold([
    { type: 'server_status', codex, codex_warnings: ['beware'], storage: 'full' },
    { type: 'conversation', conversation: sampleRow({ id: OTHER }) },
    { type: 'conversation', conversation: sampleRow({ id: OPEN }) },
    { type: 'conversation', deleted: OPEN },
    news(OTHER, 3),
    news(OPEN, 2),
  ]);
  expect(after).toMatchObject({ codex, codexWarnings: ['beware'], storage: 'full', eventNews: 1 });
  expect([...after.list.keys()]).toEqual([OTHER]);
  expect([...after.unreadEvents]).toEqual([
    [OTHER, 3],
    [OPEN, 2],
  ]);
});

test('a frame of a newer server that nobody here knows changes nothing', () => {
  const unknown: ServerFrame = JSON.parse(`{"type":"from_the_future","conversation_id":"${OPEN}"}`);
  expect(fold([unknown])).toEqual(START);
});
