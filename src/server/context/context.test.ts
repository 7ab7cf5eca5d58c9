/** What a message carries: collected when it is prepared, and settled when Codex has the message or does not. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ALL_CONTEXT, ContextMemory, type Fragment, type InFlight } from '../../contract/context.ts';
import type { ConversationMeta } from '../../contract/conversation.ts';
import { ok } from '../../contract/result.ts';
import type { Block, TerminalState } from '../../contract/terminal.ts';
import { pushCommand } from '../../core/context/command-buffer.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { type Context, type ConversationPort, createContext, type EventFragments } from './context.ts';
import { createRecordStore } from './record-store.ts';
import type { TerminalPort } from './terminal-feed.ts';

const ID = `conv_${'3'.repeat(32)}`;
const META = sampleMeta({ conversation_id: ID, thread_id: 't', sandbox: 'read-only' });
const log = createLogger({ level: 'fatal' });

let meta: ConversationMeta;
let terminal: TerminalState;
let tellBlock: (block: Block) => void;
let peers: string[];
let isOffered: boolean;
let home: string;
let fragmentsOf: EventFragments;
let context: Context;

const conversation: ConversationPort = {
  meta: () => meta,
  async changeMeta(change) {
    meta = change(meta);
    return ok(null);
  },
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
  block: async () => ok(BLOCK),
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

/** The events of these places in the ledger, in one fragment. */
const oneFragment: EventFragments = async (_id, seqs) => [{ ...event('events'), ids: seqs.map(String) }];

const runCommand = (blockId: string) => {
  const ended = {
    blockId,
    shellId: 's',
    cmd: 'ls',
    cwd: '/w',
    exitCode: 0,
    ts: 1,
    durationMs: 5,
    output: 'x',
    isOutputCut: false,
  };
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
  made.readEventsWith((...asked) => fragmentsOf(...asked));
  made.followTerminals(terminals);
  return made;
};

beforeEach(async () => {
  home = await makeDir('context');
  [meta, terminal, peers, isOffered, fragmentsOf] = [META, NO_TERMINAL, [], true, oneFragment];
  context = open();
});

afterEach(() => rm(home, { recursive: true, force: true }));

const keysOf = (carried: readonly Fragment[]) => carried.map((one) => one.key);

test('[CT5] nothing from outside: nothing goes along, and nothing is written', async () => {
  const along = await context.prepare(ID, 'm1', []);
  expect(along.carried).toEqual([]);
  expect(along.additionalContext).toBeUndefined();
  expect(meta).toBe(META);
  expect(await context.recordOf(ID, 'm1')).toBeNull();
});

test('[CT9] what a message carries is on disk as it was sent, and is done with once Codex has the message', async () => {
  runCommand('b1');
  const along = await context.prepare(ID, 'm1', [7]);
  expect(keysOf(along.carried)).toEqual(['signalbox_policy', 'user_cmd_context', 'events']);
  expect(Object.keys(along.additionalContext ?? {})).toEqual(keysOf(along.carried));
  expect(meta.pending_cmd_buffer).not.toBeNull();
  expect(meta.context_memory.in_flight).toMatchObject([{ client_message_id: 'm1', block_ids: ['b1'] }]);
  const record = await context.recordOf(ID, 'm1');
  expect(record).toMatchObject({ client_message_id: 'm1', carrier: 'additional_context', fragments: along.carried });
  runCommand('b2');
  await context.settle(ID, 'm1', true);
  expect(meta.pending_cmd_buffer).toMatchObject({ total_commands_run: 1, commands: [{ block_id: 'b2' }] });
  expect(meta.context_memory.in_flight).toEqual([]);
  const next = await context.prepare(ID, 'm2', []);
  expect(next.carried.at(-1)?.ids).toEqual(['b2']);
});

test('[CT9] a message that Codex does not have leaves everything as it was', async () => {
  runCommand('b1');
  const before = meta;
  await context.prepare(ID, 'm1', [7]);
  await context.settle(ID, 'm1', false);
  expect(meta).toEqual(before);
  const next = await context.prepare(ID, 'm2', [7]);
  expect(keysOf(next.carried)).toEqual(['signalbox_policy', 'user_cmd_context', 'events']);
});

test('[CT10] a second message on its way does not carry what the first one carries', async () => {
  terminal = BASH;
  runCommand('b1');
  await context.prepare(ID, 'm1', []);
  runCommand('b2');
  const second = await context.prepare(ID, 'm2', []);
  expect(keysOf(second.carried)).toEqual(['signalbox_policy', 'user_cmd_context']);
  expect(second.carried.at(-1)?.ids).toEqual(['b2']);
  expect(meta.context_memory.in_flight.map((one) => one.client_message_id)).toEqual(['m1', 'm2']);
});

test('[CT9] several messages on their way are settled each by itself, in whatever order', async () => {
  runCommand('b1');
  await context.prepare(ID, 'm1', []);
  runCommand('b2');
  await context.prepare(ID, 'm2', []);
  await context.settle(ID, 'm2', true);
  expect(meta.context_memory.in_flight.map((one) => one.client_message_id)).toEqual(['m1']);
  expect(meta.context_memory.carried_blocks).toEqual(['b2']);
  await context.settle(ID, 'm1', false);
  expect(meta.context_memory.in_flight).toEqual([]);
  expect((await context.prepare(ID, 'm3', [])).carried.at(-1)?.ids).toEqual(['b1']);
});

test('[CT9] a message that goes again is prepared anew and counts once', async () => {
  runCommand('b1');
  await context.prepare(ID, 'm1', []);
  await context.settle(ID, 'm1', false);
  runCommand('b2');
  const again = await context.prepare(ID, 'm1', []);
  expect(again.carried.at(-1)?.ids).toEqual(['b1', 'b2']);
  expect(meta.context_memory.in_flight).toHaveLength(1);
  expect((await context.recordOf(ID, 'm1'))?.fragments).toEqual(again.carried);
});

test('[CT9] a message that is settled a second time, or never carried anything, changes nothing', async () => {
  runCommand('b1');
  await context.prepare(ID, 'm1', []);
  await context.settle(ID, 'm1', true);
  const before = meta;
  await context.settle(ID, 'm1', false);
  await context.settle(ID, 'other', true);
  expect(meta).toBe(before);
});

test('[CT11] killed after Codex took the message: settled by the next server, and not carried again', async () => {
  runCommand('b1');
  await context.prepare(ID, 'm1', [7]);
  context = open();
  expect(await context.eventsOf(ID, 'm1')).toEqual([7]);
  await context.settle(ID, 'm1', true);
  expect(meta.pending_cmd_buffer).toBeNull();
  expect((await context.prepare(ID, 'm2', [])).carried).toEqual([]);
});

test('[CT11] killed before Codex took the message: all of it goes with the next one', async () => {
  runCommand('b1');
  await context.prepare(ID, 'm1', [7]);
  context = open();
  await context.settle(ID, 'm1', false);
  const next = await context.prepare(ID, 'm2', await context.eventsOf(ID, 'm1'));
  expect(keysOf(next.carried)).toEqual(['signalbox_policy', 'user_cmd_context', 'events']);
  expect(next.carried.at(-1)?.ids).toEqual(['7']);
});

test('[CT11] a file of before, with one message on its way or with none, is still read', () => {
  const flight: InFlight = {
    client_message_id: 'm1',
    names: ['commands'],
    counts: { commands: 1 },
    block_ids: ['b1'],
    commands_run: 1,
    terminal: null,
    peers: null,
  };
  const rest = { terminal: null, peers: null, carried_blocks: [] };
  expect(ContextMemory.parse({ ...rest, in_flight: flight }).in_flight).toEqual([flight]);
  expect(ContextMemory.parse({ ...rest, in_flight: null }).in_flight).toEqual([]);
  expect(ContextMemory.parse({ ...rest, in_flight: [flight, flight] }).in_flight).toHaveLength(2);
});

test('[CT14] the events of a message are those its record names', async () => {
  await context.prepare(ID, 'm1', [3, 11]);
  expect(await context.eventsOf(ID, 'm1')).toEqual([3, 11]);
  runCommand('b1');
  await context.prepare(ID, 'm2', []);
  expect(await context.eventsOf(ID, 'm2')).toEqual([]);
  expect(await context.eventsOf(ID, 'unknown')).toEqual([]);
});

test('[CT3] what there is no room for is not carried, and the note names it', async () => {
  fragmentsOf = async (_id, seqs) => seqs.map((seq) => ({ ...event(`e${seq}`, 3_900), ids: [String(seq)] }));
  const along = await context.prepare(ID, 'm1', [1, 2, 3, 4, 5, 6]);
  expect(keysOf(along.carried)).toEqual(['signalbox_policy', 'e1', 'e2', 'e3']);
  expect(along.carried[0]?.value).toContain('e4 (3900 bytes), e5 (3900 bytes), e6 (3900 bytes)');
  expect(await context.eventsOf(ID, 'm1')).toEqual([1, 2, 3]);
});

test('[CT4] where the terminal stands and who is there is told when it changed', async () => {
  terminal = BASH;
  peers = ['ann'];
  const first = await context.prepare(ID, 'm1', []);
  expect(keysOf(first.carried)).toEqual(['signalbox_policy', 'terminal_state', 'peers']);
  await context.settle(ID, 'm1', true);
  expect((await context.prepare(ID, 'm2', [])).carried).toEqual([]);
  terminal = { ...terminal, last_exit_code: 1 };
  const third = await context.prepare(ID, 'm3', []);
  expect(JSON.parse(third.carried.at(-1)?.value ?? '')).toMatchObject({ type: 'terminal_state', last_exit_code: 1 });
  expect(third.carried.at(-1)?.value).not.toContain('bash');
});

test('[CT13] what is turned off is not even asked for', async () => {
  runCommand('b1');
  terminal = BASH;
  meta = { ...meta, context: { ...ALL_CONTEXT, commands: false, policy: false, terminal: false } };
  expect(keysOf((await context.prepare(ID, 'm1', [7])).carried)).toEqual(['events']);
  fragmentsOf = () => expect.unreachable();
  meta = { ...meta, context: { ...ALL_CONTEXT, events: false, terminal: false } };
  expect(keysOf((await context.prepare(ID, 'm2', [8])).carried)).toEqual(['signalbox_policy', 'user_cmd_context']);
});

test('[CT15] a Codex without additionalContext gets the sentinel', async () => {
  isOffered = false;
  const along = await context.prepare(ID, 'm1', [7]);
  expect(along.additionalContext).toBeUndefined();
  expect(along.textPrefix).toMatch(/^\x1eCODEX_META \{"v":1,"type":"signalbox_policy".*\x1f\x1eCODEX_META .*\x1f$/s);
  expect((await context.recordOf(ID, 'm1'))?.carrier).toBe('sentinel');
});

test('[CT9] events that cannot be read hold nothing else back', async () => {
  runCommand('b1');
  fragmentsOf = () => Promise.reject(new Error('no'));
  const along = await context.prepare(ID, 'm1', [7]);
  expect(keysOf(along.carried)).toEqual(['signalbox_policy', 'user_cmd_context']);
  expect(await context.eventsOf(ID, 'm1')).toEqual([]);
  await context.settle(ID, 'm1', true);
  expect(meta.pending_cmd_buffer).toBeNull();
});

test('[CT14] the record of a message is a private file of the conversation', async () => {
  await context.prepare(ID, 'a.b:c', [7]);
  const text = await readFile(join(home, 'conversations', ID, 'context', 'a.b:c.json'), 'utf8');
  expect(JSON.parse(text).client_message_id).toBe('a.b:c');
  await expect(context.recordOf(ID, '../x')).rejects.toThrow();
});

test('[CT6] a block of the person that ends is in the next message, also one that ended this moment', async () => {
  terminal = BASH;
  tellBlock({ ...BLOCK, status: 'running' });
  tellBlock({ ...BLOCK, block_id: `blk_${'2'.repeat(32)}`, actor: 'agent' });
  tellBlock(BLOCK);
  const along = await context.prepare(ID, 'm1', []);
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
  await context.prepare(ID, 'm1', []);
  expect(meta.pending_cmd_buffer?.commands[0]).toMatchObject({
    status: 'killed',
    exit_code: null,
    preview: { lines: [], truncated: true },
  });
});

test('[CT11] a block that is told again after it was carried is not carried again', async () => {
  tellBlock(BLOCK);
  await context.prepare(ID, 'm1', []);
  await context.settle(ID, 'm1', true);
  context = open();
  tellBlock(BLOCK);
  expect((await context.prepare(ID, 'm2', [])).carried).toEqual([]);
});

test('[CT13] with commands turned off none is kept', async () => {
  meta = { ...meta, context: { ...ALL_CONTEXT, commands: false } };
  tellBlock(BLOCK);
  await context.prepare(ID, 'm1', []);
  expect(meta.pending_cmd_buffer).toBeNull();
});
