/** What Codex has kept of messages and injections: by id in its list of turns, by words and time in the thread's file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { found, user } from '../../../test/signals.ts';
import { type ErrorCode, fail, ok } from '../../contract/result.ts';
import type { CodexOperations, KeptMessage } from '../../core/codex/operations.ts';
import { quietCodex } from '../../testing/quiet-ports.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { lookUp, type Wanted } from './look-up.ts';

let dir = '';
let rollout_path = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sb-look-up-'));
  rollout_path = join(dir, 'rollout.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true }));

const want = (id: string, change: Partial<Wanted> = {}): Wanted => ({
  id,
  kind: 'message',
  text: 'hello',
  turnId: null,
  hasEvents: false,
  sinceMs: 1_000,
  ...change,
});

interface Kept {
  readonly turns?: CodexOperations['listTurns'];
  readonly file?: readonly KeptMessage[];
  readonly hasItemsOf?: (turnId: string) => boolean;
  readonly threadId?: string | null;
}

const look = (wanted: readonly Wanted[], { turns, file, hasItemsOf, threadId = 't' }: Kept = {}) =>
  lookUp(wanted, {
    codex: quietCodex({
      listTurns: turns ?? (async () => ok({ turns: [], nextCursor: null })),
      readKeptMessages: async (_path, sinceMs) => (file ?? []).filter((one) => one.atMs >= sinceMs),
    }),
    meta: () => sampleMeta({ thread_id: threadId, rollout_path }),
    hasItemsOf: hasItemsOf ?? (() => false),
  });

const refusing = (code: ErrorCode): Kept => ({ turns: async () => fail(code, 'no') });

test('[OB19] a message in the list of turns is known by its id, whatever its words', async () => {
  const turn = found('t1', [user('i1', 'hello', 'other'), user('i2', 'as Codex shows it', 'm1')]);
  const answer = await look([want('m1'), want('m2')], { turns: async () => ok({ turns: [turn], nextCursor: null }) });
  expect(answer).toEqual({ ok: true, contextOf: [], found: [{ id: 'm1', turnId: 't1', itemId: 'i2' }] });
});

test('[OB19] a message whose turn has items in the transcript reached the model', async () => {
  const answer = await look([want('m1', { turnId: 't1' })], { hasItemsOf: (turnId) => turnId === 't1' });
  expect(answer).toEqual({ ok: true, contextOf: [], found: [{ id: 'm1', turnId: 't1', itemId: null }] });
});

test('[OB19] a message that only the file of the thread has is known by its words and its time', async () => {
  const file = [{ text: 'hello', atMs: 1_200 }];
  expect(await look([want('m1')], { file })).toEqual({
    ok: true,
    contextOf: [],
    found: [{ id: 'm1', turnId: null, itemId: null }],
  });
  expect(await look([want('m1', { text: 'other words' })], { file })).toEqual({ ok: true, contextOf: [], found: [] });
  expect(await look([want('m1', { sinceMs: 2_000 })], { file })).toEqual({ ok: true, contextOf: [], found: [] });
});

test('[OB19] the same words twice: each message of the file stands for one of ours', async () => {
  const file = [{ text: 'hello', atMs: 1_200 }];
  const both = [want('m1'), want('m2', { sinceMs: 1_100 })];
  expect(await look(both, { file })).toMatchObject({ found: [{ id: 'm1' }] });
  expect(await look(both, { file: [...file, { text: 'hello', atMs: 1_300 }] })).toMatchObject({
    found: [{ id: 'm1' }, { id: 'm2' }],
  });
});

test('[OB19] the same words twice: one that the list of turns has takes its place in the file', async () => {
  const turn = found('t1', [user('i1', 'hello', 'm1')]);
  const turns = async () => ok({ turns: [turn], nextCursor: null });
  const answer = await look([want('m1'), want('m2')], { turns, file: [{ text: 'hello', atMs: 1_200 }] });
  expect(answer).toEqual({ ok: true, contextOf: [], found: [{ id: 'm1', turnId: 't1', itemId: 'i1' }] });
});

test('[OB19] a Codex that knows no such thread, or cannot list turns, leaves it to the file', async () => {
  for (const code of ['codex_error', 'unknown_thread', 'unknown_method'] as const)
    expect(await look([want('m1')], { ...refusing(code), file: [{ text: 'hello', atMs: 1_200 }] })).toMatchObject({
      ok: true,
      found: [{ id: 'm1' }],
    });
});

test('[OB17] a Codex that is not there is told from one that is silent, and neither counts as an empty history', async () => {
  expect(await look([want('m1')], refusing('codex_unavailable'))).toEqual({ ok: false, isCodexRunning: false });
  expect(await look([want('m1')], refusing('codex_timeout'))).toEqual({ ok: false, isCodexRunning: true });
});

test('[OB19] an injection is known by its id in the file, without asking Codex', async () => {
  writeFileSync(rollout_path, '{"text":"… [dlv_1]"}\n');
  const wanted = ['dlv_1', 'dlv_2'].map((id) => want(id, { kind: 'injection' }));
  const answer = await look(wanted, { turns: () => expect.unreachable() });
  expect(answer).toEqual({ ok: true, contextOf: [], found: [{ id: 'dlv_1', turnId: null, itemId: null }] });
});

test('[OB19] a thread that was never started has kept nothing', async () => {
  const answer = await look([want('m1')], { threadId: null, turns: () => expect.unreachable() });
  expect(answer).toEqual({ ok: true, contextOf: [], found: [] });
});
