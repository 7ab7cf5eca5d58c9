/** What a message takes along, from several sources, when it is accepted, refused, or never heard of again. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ALL_CONTEXT, type Fragment } from '../../contract/context.ts';
import type { ConversationMeta } from '../../contract/conversation.ts';
import { ok } from '../../contract/result.ts';
import type { Block, TerminalState } from '../../contract/terminal.ts';
import { pushCommand } from '../../core/context/command-buffer.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { type Context, type ConversationPort, createContext, type FragmentSource } from './context.ts';
import { createRecordStore } from './record-store.ts';
import type { TerminalPort } from './terminal-feed.ts';

const ID = `conv_${'3'.repeat(32)}`;
const META = sampleMeta({ conversation_id: ID, thread_id: 't', sandbox: 'read-only' });
const log = createLogger({ level: 'fatal' });

let meta: ConversationMeta;
let recorded: Set<string>;
let terminal: TerminalState;
let tellBlock: (block: Block) => void;
let peers: string[];
let isOffered: boolean;
let home: string;
let waiting: Fragment[];
let told: { ids: string[]; turnId: string | null }[];
let context: Context;

const conversation: ConversationPort = {
  meta: () => meta,
  async saveMeta(next) {
    meta = next;
    return ok(null);
  },
  isRecorded: async (id) => recorded.has(id),
};

const NO_TERMINAL: TerminalState = {
  shell_id: null,
  is_running: false,
  shell: null,
  has_blocks: false,
  cwd: '',
  cols: 80,
  rows: 24,
  cursor: 0,
  at_prompt: false,
  last_exit_code: null,
  last_block_seq: 0,
};
const BASH = { ...NO_TERMINAL, shell_id: `shl_${'1'.repeat(32)}`, shell: 'bash', cwd: '/nowhere', last_exit_code: 0 };

const BLOCK: Block = {
  block_id: `blk_${'1'.repeat(32)}`,
  seq: 1,
  cmd: 'make',
  cwd: '/nowhere',
  exit_code: 2,
  ts_begin: 1,
  ts_end: 2,
  output_bytes: 20_000,
  output_lines: 900,
  alt_screen: false,
  status: 'completed',
  actor: 'user',
};

const terminals: TerminalPort = {
  pushedState: async () => ok(terminal),
  output: async (_id, _block, { offset }) =>
    ok({ text: `from ${offset}\n\x1b[31mred\x1b[0m\n`, offset, next_offset: 0, total_bytes: 20_000, omitted_bytes: 0 }),
  onBlock(listener) {
    tellBlock = (block) => {
      const kind = block.status === 'running' ? 'begin' : 'end';
      listener({ conversationId: ID, kind, shellId: BASH.shell_id, block });
    };
    return () => undefined;
  },
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
    open: async () => conversation,
    records: createRecordStore(home, log),
    peers: async () => peers,
    hasAdditionalContext: async () => isOffered,
    newDeliveryId: () => `d${++count}`,
    now: () => 1_700_000_000_000,
    log,
  });
  made.addSource(source);
  made.followTerminals(terminals);
  return made;
};

beforeEach(async () => {
  home = await makeDir('context');
  [meta, recorded, terminal, peers, isOffered] = [META, new Set(), NO_TERMINAL, [], true];
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
  terminal = BASH;
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
  terminal = BASH;
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

test('[CT6] a block of the person that ends is in the next message, also one that ended this moment', async () => {
  terminal = BASH;
  tellBlock({ ...BLOCK, status: 'running' });
  tellBlock({ ...BLOCK, block_id: `blk_${'2'.repeat(32)}`, actor: 'agent' });
  tellBlock(BLOCK);
  const along = await context.prepare(ID, 'm1');
  expect(JSON.parse(along.carried.find((one) => one.name === 'commands')?.value ?? '')).toMatchObject({
    shell_id: BASH.shell_id,
    total_commands_run: 1,
    kept: 1,
    dropped: 0,
    commands: [{ cmd: 'make', exit_code: 2, preview: { lines: ['from 3616', 'red'], truncated: true } }],
  });
});

test('[CT8] a block that took the whole screen or went down with its shell says so and shows nothing', async () => {
  tellBlock({ ...BLOCK, alt_screen: true, status: 'shell_exited', exit_code: null });
  await context.prepare(ID, 'm1');
  expect(meta.pending_cmd_buffer?.commands[0]).toMatchObject({
    status: 'killed',
    exit_code: null,
    preview: { lines: [], truncated: true },
  });
});

test('[CT11] a block that is told again after it was carried is not carried again', async () => {
  tellBlock(BLOCK);
  await (await context.prepare(ID, 'm1')).accepted('t');
  context = open();
  tellBlock(BLOCK);
  expect((await context.prepare(ID, 'm2')).carried).toEqual([]);
});

test('[CT13] with commands turned off none is kept', async () => {
  meta = { ...meta, context: { ...ALL_CONTEXT, commands: false } };
  tellBlock(BLOCK);
  await context.prepare(ID, 'm1');
  expect(meta.pending_cmd_buffer).toBeNull();
});
