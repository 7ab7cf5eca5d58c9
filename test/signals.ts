/** Signals and entries as tests need them: everything has a default, so that a test says only what it is about. */
import fc from 'fast-check';
import type { Ask } from '../src/contract/approval.ts';
import type { FileChange, Item } from '../src/core/codex/item.ts';
import type { OwnSignal, Signal, TurnRecord } from '../src/core/codex/signal.ts';
import { accept, createRun, EPOCH, type Run } from './recording.ts';

export const THREAD = '01a1e140-931d-7181-af3b-73f1157d5f32';
export const CHILD = '01a1e140-0000-7000-8000-000000000001';
export const CHILD_STARTED = { threadId: CHILD, path: '/root/h', activity: 'started' } as const;
export const CWD = '/home/dev/project';

type Of<T extends Signal['type']> = Extract<Signal, { type: T }>;

const at = (turnId: string, threadId = THREAD) => ({ threadId, turnId });

export const started = (turnId: string): Signal => ({ type: 'turn.started', ...at(turnId), startedAtMs: null });

export function completed(turnId: string, patch: Partial<Of<'turn.completed'>> = {}): Signal {
  return { type: 'turn.completed', ...at(turnId), status: 'completed', failure: null, durationMs: 5, ...patch };
}

export const begin = (turnId: string, item: Item, threadId = THREAD): Signal => ({
  type: 'item.started',
  ...at(turnId, threadId),
  item,
});

export const end = (turnId: string, item: Item, threadId = THREAD): Signal => ({
  type: 'item.completed',
  ...at(turnId, threadId),
  item,
});

export function delta(turnId: string, itemId: string, text: string, patch: Partial<Of<'item.delta'>> = {}): Signal {
  return { type: 'item.delta', ...at(turnId), itemId, channel: 'assistant', delta: text, part: 0, ...patch };
}

export const status = (word: string, flags: readonly string[] = []): Signal => ({
  type: 'thread.status',
  threadId: THREAD,
  status: word,
  flags,
});

export const diffUpdated = (turnId: string, diff: string): Signal => ({ type: 'diff.updated', ...at(turnId), diff });

export function failing(turnId: string, message: string, willRetry = false): Signal {
  return { type: 'error', ...at(turnId), failure: { message, code: 'other' }, willRetry };
}

export function usage(turnId: string, tokens: number): Signal {
  const counts = { input_tokens: tokens, cached_input_tokens: 0, output_tokens: 0, reasoning_output_tokens: 0 };
  const total = { total_tokens: tokens, cumulative_tokens: tokens, context_window: 1_000 };
  return { type: 'usage.updated', ...at(turnId), usage: { ...counts, ...total } };
}

export const GONE: OwnSignal = { type: 'codex.gone', reason: 'Codex was killed' };

export const user = (id: string, text: string, clientId: string | null = null): Item => ({
  kind: 'user',
  id,
  text,
  images: [],
  clientId,
  isContextual: false,
});

export const say = (id: string, text: string): Item => ({ kind: 'assistant', id, text, phase: null, questions: [] });
export const think = (id: string, text: string): Item => ({ kind: 'reasoning', id, text });

export function command(id: string, patch: Partial<Extract<Item, { kind: 'command' }>> = {}): Item {
  return {
    kind: 'command',
    id,
    command: 'ls',
    argv: "/bin/bash -lc 'ls'",
    cwd: CWD,
    output: '',
    exitCode: null,
    durationMs: null,
    status: 'in_progress',
    actions: [],
    processId: null,
    isUserShell: false,
    ...patch,
  };
}

export function tool(id: string, patch: Partial<Extract<Item, { kind: 'tool' }>> = {}): Item {
  return {
    kind: 'tool',
    id,
    tool: 'mcp',
    name: 'echo',
    server: 'tiny',
    input: '',
    output: '',
    error: null,
    status: 'in_progress',
    durationMs: null,
    agent: null,
    ...patch,
  };
}

export const CHANGE: FileChange = { path: `${CWD}/a.txt`, kind: 'update', diff: '@@ -1 +1 @@\n-a\n+b\n' };

export function patch(id: string, status: Extract<Item, { kind: 'file_change' }>['status'], change = CHANGE): Item {
  return { kind: 'file_change', id, changes: [change], status };
}

const RUN: Ask = { kind: 'command', action: 'run', command: "/bin/bash -lc 'ls'", actions: [] };

export function asks(
  rpcId: number,
  turnId: string | null,
  itemId: string | null,
  more: Partial<Of<'request'>> = {},
): Signal {
  return {
    type: 'request',
    threadId: THREAD,
    turnId,
    itemId,
    rpcId,
    epoch: EPOCH,
    method: 'item/commandExecution/requestApproval',
    reason: null,
    ask: RUN,
    auto: null,
    ...more,
  };
}

export const resolved = (rpcId: number, threadId = THREAD): Signal => ({ type: 'request.resolved', threadId, rpcId });

/** An answer to the newest request of the run. */
export function answered(run: Run, word: 'accepted' | 'declined' | 'cancelled' = 'accepted'): OwnSignal {
  const approvalId = run.asks.at(-1)?.approval_id ?? '';
  return { type: 'approval.answered', approvalId, status: word, decision: 'accept', answers: {} };
}

export function found(turnId: string, items: readonly Item[], patch: Partial<TurnRecord> = {}): TurnRecord {
  return { turnId, status: 'completed', items, failure: null, durationMs: 5, startedAtMs: null, ...patch };
}

/** A conversation that has heard these signals. */
export function runOf(...signals: readonly (Signal | OwnSignal)[]): Run {
  const run = createRun(THREAD, CWD);
  for (const signal of signals) accept(run, signal);
  return run;
}

/** Entries in short: role, item or turn, and what sets it apart. */
export function told(run: Run): string[] {
  return run.entries.map((entry) => {
    const word = 'text' in entry ? entry.text : 'status' in entry ? entry.status : '';
    return `${entry.role} ${entry.item_id ?? entry.turn_id ?? '-'} ${word}`.trim();
  });
}

/** Any of the names that are keys of every object, too. */
const anyId = fc.oneof(
  fc.constantFrom('', 't1', 't2', 'i1', '0', '__proto__', 'constructor'),
  fc.string({ maxLength: 3 }),
);
const anyItem: fc.Arbitrary<Item> = anyId.chain((id) =>
  fc.constantFrom<Item>(
    user(id, 'hello'),
    say(id, 'hi'),
    say(id, ''),
    think(id, ''),
    { kind: 'plan', id, text: '# Plan' },
    command(id, { status: 'completed', exitCode: 0 }),
    command(id, { processId: '7' }),
    command(id, { isUserShell: true, status: 'failed' }),
    patch(id, 'completed'),
    patch(id, 'declined'),
    patch(id, 'in_progress'),
    tool(id, { status: 'completed' }),
    tool(id, { agent: CHILD_STARTED }),
    { kind: 'note', id, note: 'compaction', text: 'compacted' },
  ),
);

/** Any signal at all, however implausible. */
export function anySignal(): fc.Arbitrary<Signal | OwnSignal> {
  return fc
    .record({
      turnId: anyId,
      itemId: anyId,
      item: anyItem,
      text: fc.string(),
      rpcId: fc.nat({ max: 3 }),
      isChild: fc.boolean(),
    })
    .chain(({ turnId, itemId, item, text, rpcId, isChild }) => {
      const threadId = isChild ? CHILD : THREAD;
      const status = fc.constantFrom('completed', 'failed', 'interrupted', 'running' as const);
      return fc.oneof(
        fc.constantFrom<Signal | OwnSignal>(
          started(turnId),
          completed(turnId, { threadId }),
          completed(turnId, { status: 'failed', failure: { message: text, code: null } }),
          completed(turnId, { status: 'interrupted' }),
          begin(turnId, item, threadId),
          end(turnId, item, threadId),
          diffUpdated(turnId, text),
          failing(turnId, text),
          failing(turnId, text, true),
          usage(turnId, 3),
          { type: 'item.changes', threadId, turnId, itemId, changes: [CHANGE] },
          { type: 'item.progress', threadId, turnId, itemId, text },
          { type: 'plan.updated', threadId, turnId, steps: [{ step: text, status: 'in_progress' }], text: null },
          { type: 'model.rerouted', threadId, turnId, from: 'a', to: 'b' },
          { type: 'warning', threadId, text, code: 'warning' },
        ),
        fc.constantFrom<Signal | OwnSignal>(
          asks(rpcId, turnId, itemId, { threadId }),
          asks(rpcId, null, null, { ask: { kind: 'unknown', method: text, params: { text } } }),
          asks(rpcId, turnId, itemId, { ask: { kind: 'file_change', changes: [] } }),
          asks(rpcId, turnId, itemId, { ask: null, auto: { kind: 'current_time' } }),
          resolved(rpcId, threadId),
          GONE,
          { type: 'message.stored', clientMessageId: text, text },
          { type: 'message.undelivered', clientMessageId: text },
          { type: 'approval.answered', approvalId: text, status: 'accepted', decision: 'accept', answers: {} },
          { type: 'thread.status', threadId, status: 'active', flags: [] },
          { type: 'unknown', method: text, threadId },
          { type: 'noise', text },
        ),
        fc
          .constantFrom('assistant', 'reasoning', 'command', 'plan' as const)
          .map((channel) => delta(turnId, itemId, text, { channel })),
        status.map((word): OwnSignal => ({ type: 'turns.found', turns: [found(turnId, [item], { status: word })] })),
      );
    });
}
