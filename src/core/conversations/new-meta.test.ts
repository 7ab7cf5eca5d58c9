/** What a conversation begins with. */
import { expect, test } from 'vitest';
import { ALL_CONTEXT } from '../../contract/context.ts';
import type { Preferences } from '../../contract/conversation.ts';
import { sampleMeta } from '../../testing/samples.ts';
import type { ThreadRecord } from '../codex/signal.ts';
import { draftMeta, MAX_PREVIEW_CHARS, metaOfFork, metaOfThread } from './new-meta.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const ID = `conv_${'a'.repeat(32)}`;
const THREAD: ThreadRecord = {
  threadId: '01a1e140-931d-7181-af3b-73f1157d5f32',
  name: null,
  preview: 'x'.repeat(MAX_PREVIEW_CHARS + 1),
  cwd: '/p',
  model: null,
  rolloutPath: '/r.jsonl',
  createdAt: '1970-01-01T00:00:01.000Z',
  updatedAt: '1970-01-01T00:00:02.000Z',
  usedAt: '1970-01-01T00:00:02.000Z',
  parentThreadId: null,
  nickname: null,
};
const PREFERENCES: Preferences = {
  cwd: null,
  approval: 'untrusted',
  sandbox: 'read-only',
  model: 'gpt',
  reasoning_effort: 'high',
  command_output_lines: 7,
  context: { ...ALL_CONTEXT, peers: false },
};

test('a draft has the preferences, and nothing else', () => {
  const { cwd, ...rest } = PREFERENCES;
  expect(cwd).toBeNull();
  expect(draftMeta(ID, PREFERENCES, NOW)).toEqual(sampleMeta({ ...rest, cwd: '', active_at: NOW }));
  expect(draftMeta(ID, { ...PREFERENCES, cwd: '/w' }, NOW).cwd).toBe('/w');
});

test('a thread of Codex keeps its directory and its age, and has a past to read', () => {
  expect(metaOfThread(THREAD, PREFERENCES, NOW)).toMatchObject({
    conversation_id: 'conv_01a1e140931d7181af3b73f1157d5f32',
    thread_id: THREAD.threadId,
    preview: 'x'.repeat(MAX_PREVIEW_CHARS),
    cwd: '/p',
    model: null,
    rollout_path: '/r.jsonl',
    approval: 'untrusted',
    created_at: '1970-01-01T00:00:01.000Z',
    updated_at: NOW,
    history: { cursor: null, complete: false },
  });
});

test('[CS7] a fork has the settings of its parent, and nothing that waits there', () => {
  const parent = sampleMeta({
    thread_id: 'parent',
    label: 'Trains',
    sandbox: 'read-only',
    queue: [{ client_message_id: 'm', text: 'next', images: [], queued_at: NOW }],
    queue_paused: true,
    lost_threads: ['another'],
    read_seq: 4,
    revision: 5,
  });
  expect(metaOfFork(parent, THREAD, 'now')).toEqual({
    ...parent,
    conversation_id: 'conv_01a1e140931d7181af3b73f1157d5f32',
    thread_id: THREAD.threadId,
    lost_threads: [],
    rollout_path: '/r.jsonl',
    history: { cursor: null, complete: false },
    created_at: '1970-01-01T00:00:01.000Z',
    label: 'Trains (fork)',
    forked_from: parent.conversation_id,
    active_at: 'now',
    pinned: false,
    queue: [],
    queue_paused: false,
    read_seq: 0,
    revision: 0,
  });
});

test('a fork is named after its thread, else its parent, else the first words', () => {
  const named = (label: string | null, name: string | null) =>
    metaOfFork(sampleMeta({ label, preview: 'Hello' }), { ...THREAD, name }, 'now').label;
  expect([named('L', 'N'), named('L', null), named(null, null)]).toEqual(['N (fork)', 'L (fork)', 'Hello (fork)']);
  expect(named('y'.repeat(200), null)).toHaveLength(200);
});
