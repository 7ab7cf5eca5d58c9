/** What a message takes along, from several sources, when it is accepted, refused, or never heard of again. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ALL_CONTEXT, type Fragment, NO_CONTEXT_MEMORY, type TerminalValues } from '../../contract/context.ts';
import type { ConversationMeta } from '../../contract/conversation.ts';
import { ok } from '../../contract/result.ts';
import { pushCommand } from '../../core/context/command-buffer.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { type Context, createContext, type Desk, type FragmentSource } from './context.ts';
import { createRecordStore } from './record-store.ts';

const ID = `conv_${'3'.repeat(32)}`;
const META: ConversationMeta = {
  conversation_id: ID,
  thread_id: 't',
  label: null,
  model: null,
  reasoning_effort: null,
  approval: 'on-request',
  sandbox: 'read-only',
  cwd: '/w',
  markdown: true,
  command_output_lines: 20,
  pinned: false,
  draft: '',
  mode: 'default',
  rollout_path: null,
  preview: '',
  created_at: '',
  updated_at: '',
  archived: false,
  revision: 0,
  queue: [],
  queue_paused: false,
  read_seq: 0,
  history: null,
  context: ALL_CONTEXT,
  pending_cmd_buffer: null,
  context_memory: NO_CONTEXT_MEMORY,
};
const log = createLogger({ level: 'fatal' });

let meta: ConversationMeta;
let recorded: Set<string>;
let terminal: TerminalValues | null;
let peers: string[];
let isOffered: boolean;
let home: string;
let waiting: Fragment[];
let told: { ids: string[]; turnId: string | null }[];
let context: Context;

const desk: Desk = {
  meta: () => meta,
  async saveMeta(next) {
    meta = next;
    return ok(null);
  },
  isRecorded: async (id) => recorded.has(id),
};

const event = (id: string, size = 10): Fragment => ({
  name: 'events',
  key: id,
  kind: 'untrusted',
  value: 'e'.repeat(size),
  ids: [id],
});

const source: FragmentSource = {
  name: 'events',
  collect: async () => waiting,
  async settled(_id, carried, turnId) {
    const ids = carried.flatMap((one) => one.ids);
    told.push({ ids, turnId });
    waiting = waiting.filter((one) => !ids.includes(one.ids[0] ?? ''));
  },
};

const runCommand = (blockId: string) => {
  const ended = { blockId, shellId: 's', cmd: 'ls', cwd: '/w', exitCode: 0, ts: 1, output: 'x', isOutputCut: false };
  meta = { ...meta, pending_cmd_buffer: pushCommand(meta.pending_cmd_buffer, ID, { ...ended, end: 'completed' }) };
};

const open = (): Context => {
  let count = 0;
  const made = createContext({
    desk: async () => desk,
    records: createRecordStore(home, log),
    own: { terminal: async () => terminal, peers: async () => peers },
    hasAdditionalContext: async () => isOffered,
    newDeliveryId: () => `d${++count}`,
    now: () => 1_700_000_000_000,
    log,
  });
  made.addSource(source);
  return made;
};

beforeEach(async () => {
  home = await makeDir('context');
  [meta, recorded, terminal, peers, isOffered] = [META, new Set(), null, [], true];
  [waiting, told] = [[], []];
  context = open();
});

afterEach(() => rm(home, { recursive: true, force: true }));

const keysOf = (carried: readonly Fragment[]) => carried.map((one) => one.key);

test('[CT5] nothing from outside: nothing goes along, and nothing is written', async () => {
  const along = await context.prepare(ID, 'm1');
  expect(along.carried).toEqual([]);
  expect(along.additionalContext).toBeUndefined();
  expect(meta).toBe(META);
  expect(await context.recordOf(ID, 'm1')).toBeNull();
});

test('[CT9] what was accepted is settled with its source, and what was carried is on disk as it was sent', async () => {
  runCommand('b1');
  waiting = [event('ev1')];
  const along = await context.prepare(ID, 'm1');
  expect(keysOf(along.carried)).toEqual(['signalbox_policy', 'user_cmd_context', 'ev1']);
  expect(Object.keys(along.additionalContext ?? {})).toEqual(keysOf(along.carried));
  expect(meta.pending_cmd_buffer).not.toBeNull();
  const record = await context.recordOf(ID, 'm1');
  expect(record).toMatchObject({ client_message_id: 'm1', carrier: 'additional_context', fragments: along.carried });
  runCommand('b2');
  await along.accepted('turn-1');
  expect(told).toEqual([{ ids: ['ev1'], turnId: 'turn-1' }]);
  expect(meta.pending_cmd_buffer).toMatchObject({ total_commands_run: 1, commands: [{ block_id: 'b2' }] });
  expect(meta.context_memory.in_flight).toBeNull();
  const next = await context.prepare(ID, 'm2');
  expect(next.carried.at(-1)?.ids).toEqual(['b2']);
});

test('[CT9] a refused message leaves every source as it was', async () => {
  runCommand('b1');
  waiting = [event('ev1')];
  const before = meta;
  await (await context.prepare(ID, 'm1')).refused(true);
  expect(meta).toEqual(before);
  expect(told).toEqual([]);
  expect(keysOf((await context.prepare(ID, 'm2')).carried)).toEqual(['signalbox_policy', 'user_cmd_context', 'ev1']);
});

test('[CT11] killed after the acceptance: settled when the transcript shows the message, and not carried again', async () => {
  runCommand('b1');
  waiting = [event('ev1')];
  await context.prepare(ID, 'm1');
  recorded.add('m1');
  context = open();
  expect((await context.prepare(ID, 'm2')).carried).toEqual([]);
  expect(told).toEqual([{ ids: ['ev1'], turnId: null }]);
  expect(meta.pending_cmd_buffer).toBeNull();
});

test('[CT11] killed before the acceptance: all of it goes with the next message', async () => {
  runCommand('b1');
  waiting = [event('ev1')];
  await context.prepare(ID, 'm1');
  context = open();
  expect(keysOf((await context.prepare(ID, 'm2')).carried)).toEqual(['signalbox_policy', 'user_cmd_context', 'ev1']);
  expect(told).toEqual([]);
});

test('[CT3] what there is no room for stays with its source, and the note names it', async () => {
  waiting = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => event(id, 3_900));
  const along = await context.prepare(ID, 'm1');
  expect(keysOf(along.carried)).toEqual(['signalbox_policy', 'a', 'b', 'c']);
  expect(along.carried[0]?.value).toContain('d (3900 bytes), e (3900 bytes), f (3900 bytes)');
  await along.accepted('t');
  expect(told[0]?.ids).toEqual(['a', 'b', 'c']);
  expect(keysOf((await context.prepare(ID, 'm2')).carried)).toEqual(['signalbox_policy', 'd', 'e', 'f']);
});

test('[CT4] where the terminal stands and who is there is told when it changed', async () => {
  terminal = { cwd: '/w', shell: 'bash', last_exit_code: 0, git_branch: null };
  peers = ['ann'];
  const first = await context.prepare(ID, 'm1');
  expect(keysOf(first.carried)).toEqual(['signalbox_policy', 'terminal_state', 'peers']);
  await first.accepted('t');
  expect((await context.prepare(ID, 'm2')).carried).toEqual([]);
  terminal = { ...terminal, last_exit_code: 1 };
  const third = await context.prepare(ID, 'm3');
  expect(JSON.parse(third.carried.at(-1)?.value ?? '')).toMatchObject({ type: 'terminal_state', last_exit_code: 1 });
  expect(third.carried.at(-1)?.value).not.toContain('bash');
});

test('[CT13] what is turned off is not even asked for', async () => {
  runCommand('b1');
  waiting = [event('ev1')];
  terminal = { cwd: '/w', shell: 'bash', last_exit_code: 0, git_branch: null };
  meta = { ...meta, context: { ...ALL_CONTEXT, commands: false, policy: false, terminal: false } };
  expect(keysOf((await context.prepare(ID, 'm1')).carried)).toEqual(['ev1']);
});

test('[CT15] a Codex without additionalContext gets the sentinel', async () => {
  isOffered = false;
  waiting = [event('events')];
  const along = await context.prepare(ID, 'm1');
  expect(along.additionalContext).toBeUndefined();
  expect(along.textPrefix).toMatch(/^\x1eCODEX_META \{"v":1,"type":"signalbox_policy".*\x1f\x1eCODEX_META .*\x1f$/s);
  expect((await context.recordOf(ID, 'm1'))?.carrier).toBe('sentinel');
});

test('[CT9] a source that fails takes nothing with it', async () => {
  runCommand('b1');
  context.addSource({
    name: 'events',
    collect: () => Promise.reject(new Error('no')),
    settled: () => Promise.reject(new Error('no')),
  });
  waiting = [event('ev1')];
  const along = await context.prepare(ID, 'm1');
  expect(keysOf(along.carried)).toEqual(['signalbox_policy', 'user_cmd_context', 'ev1']);
  await along.accepted('t');
  expect(meta.pending_cmd_buffer).toBeNull();
});

test('[CT14] the record of a message is a private file of the conversation', async () => {
  waiting = [event('ev1')];
  await context.prepare(ID, 'a.b:c');
  const text = await readFile(join(home, 'conversations', ID, 'context', 'a.b:c.json'), 'utf8');
  expect(JSON.parse(text).client_message_id).toBe('a.b:c');
  await expect(context.recordOf(ID, '../x')).rejects.toThrow();
});
