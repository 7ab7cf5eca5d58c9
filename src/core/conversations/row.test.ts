/** What a list shows of a conversation that is open, one that is not, and one only Codex knows. */
import { describe, expect, test } from 'vitest';
import { sampleMeta, sampleRow } from '../../testing/samples.ts';
import type { ThreadRecord } from '../codex/signal.ts';
import { hasText, rowOfMeta, rowOfOpen, rowOfThread } from './row.ts';
import { emptyThread, type OpenAsk, type ThreadState } from './thread-state.ts';

const BASE = emptyThread(sampleMeta().conversation_id, '/w', (text) => text);
const TURN = { id: 't1', nested: [], startedAtMs: 0, errors: [], isReview: false };

function ask(isAnsweredElsewhere: boolean): OpenAsk {
  const approval = {
    approval_id: `apr_${'0'.repeat(32)}`,
    conversation_id: BASE.conversationId,
    thread_id: 'th',
    turn_id: 't1',
    item_id: null,
    kind: 'unknown',
    title: '',
    requested_at_ms: 0,
    ask: { kind: 'unknown', method: 'm', params: null } as const,
    decisions: [],
  };
  return { epoch: 'e', rpcId: 1, method: 'm', approval, isAnsweredElsewhere };
}

describe('the state of an open conversation', () => {
  const error = { ...BASE.activity, lamp: 'error' } as const;
  test.each<[string, string | null, Partial<ThreadState>, number]>([
    ['draft', null, {}, 0],
    ['draft', null, { activity: error }, 0],
    ['idle', 'th', {}, 0],
    ['failed', 'th', { activity: error }, 0],
    ['running', 'th', { turn: TURN }, 0],
    ['running', 'th', { turn: TURN, activity: error }, 0],
    ['running', null, { turn: TURN }, 0],
    ['running', 'th', { turn: TURN, asks: { a: ask(true) } }, 0],
    ['waiting', 'th', { turn: TURN, asks: { a: ask(true), b: ask(false), c: ask(false) } }, 2],
  ])('%s', (state, thread_id, change, pending_approvals) => {
    const row = rowOfOpen(sampleMeta({ thread_id }), 7, { ...BASE, ...change });
    expect(row).toMatchObject({ state, pending_approvals, last_seq: 7 });
  });
});

test('a conversation that is not open is a draft or idle, and says what its sidecar says', () => {
  const queue = [{ client_message_id: 'm', text: 'next', images: [], queued_at: '' }];
  const meta = sampleMeta({ label: 'L', thread_id: 'th', applied_model: 'gpt', queue, pinned: true, read_seq: 3 });
  expect(rowOfMeta(meta, 9)).toEqual(
    sampleRow({
      thread_id: 'th',
      label: 'L',
      applied_model: 'gpt',
      queued: 1,
      pinned: true,
      last_seq: 9,
      read_seq: 3,
      state: 'idle',
    }),
  );
  expect(rowOfMeta(sampleMeta(), 0)).toEqual(sampleRow({ state: 'draft' }));
});

test('a thread of Codex is listed by when it was last used', () => {
  const id = '01a1e140-931d-7181-af3b-73f1157d5f32';
  const thread: ThreadRecord = {
    threadId: id,
    name: 'N',
    model: 'gpt',
    preview: 'hi',
    cwd: '/p',
    rolloutPath: null,
    createdAt: '1970-01-01T00:00:01.000Z',
    updatedAt: '1970-01-01T00:00:02.000Z',
    usedAt: '1970-01-01T00:00:03.000Z',
    parentThreadId: null,
    nickname: null,
  };
  expect(rowOfThread(thread, true)).toMatchObject({
    id: 'conv_01a1e140931d7181af3b73f1157d5f32',
    thread_id: id,
    label: 'N',
    model: 'gpt',
    preview: 'hi',
    archived: true,
    created_at: '1970-01-01T00:00:01.000Z',
    updated_at: '1970-01-01T00:00:03.000Z',
    source: 'codex',
  });
});

test('a list is narrowed down by label, first words and directory, in any case of letters', () => {
  const row = sampleRow({ label: 'Release', preview: 'Fix the door', cwd: '/home/Dev' });
  for (const text of ['', 'RELEASE', 'the D', 'home/dev']) expect(hasText(row, text)).toBe(true);
  expect(hasText(row, 'window')).toBe(false);
  expect(hasText(sampleRow({ label: null }), 'null')).toBe(false);
});
