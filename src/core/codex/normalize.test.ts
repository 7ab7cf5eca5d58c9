/** Frames → signals: what each message comes to mean, and that none is lost or fatal. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CODEX_NOTIFICATIONS, CodexTurn } from '../../contract/codex.ts';
import { type Dialect, normalize, turnRecord } from './normalize.ts';
import type { Signal } from './signal.ts';

const DIALECT: Dialect = { epoch: 'e1', hasItems: true };
const AT = { threadId: 't', turnId: 'u' };

function heard(method: string, params: unknown, dialect = DIALECT): readonly Signal[] {
  return normalize(dialect, { kind: 'notification', method, params }).signals;
}

describe('notifications', () => {
  test.each<[string, unknown, Partial<Signal>]>([
    [
      'thread/started',
      { thread: { id: 't', cwd: '/w', preview: '' } },
      { type: 'thread.started', threadId: 't', cwd: '/w', parentThreadId: null },
    ],
    [
      'thread/status/changed',
      { threadId: 't', status: { type: 'active', activeFlags: ['waitingOnApproval'] } },
      { type: 'thread.status', status: 'active', flags: ['waitingOnApproval'] },
    ],
    ['thread/archived', { threadId: 't' }, { type: 'thread.gone', how: 'archived' }],
    ['thread/unarchived', { threadId: 't' }, { type: 'thread.gone', how: 'unarchived' }],
    ['thread/deleted', { threadId: 't' }, { type: 'thread.gone', how: 'deleted' }],
    ['thread/closed', { threadId: 't' }, { type: 'thread.gone', how: 'closed' }],
    [
      'thread/settings/updated',
      { threadId: 't', threadSettings: { model: 'm', effort: 'low', sandboxPolicy: { type: 'readOnly' } } },
      {
        type: 'thread.settings',
        settings: { model: 'm', effort: 'low', sandboxType: 'readOnly', networkAccess: null, mode: null },
      },
    ],
    [
      'turn/started',
      { threadId: 't', turn: { id: 'u', startedAt: 3 } },
      { type: 'turn.started', turnId: 'u', startedAtMs: 3_000 },
    ],
    [
      'turn/completed',
      { threadId: 't', turn: { id: 'u', status: 'interrupted', durationMs: 4 } },
      { type: 'turn.completed', status: 'interrupted', durationMs: 4, failure: null },
    ],
    [
      'turn/completed',
      {
        threadId: 't',
        turn: {
          id: 'u',
          status: 'failed',
          error: {
            message: 'no',
            codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 401 } },
            additionalDetails: 'why',
          },
        },
      },
      { type: 'turn.completed', status: 'failed', failure: { message: 'no\nwhy', code: 'httpConnectionFailed' } },
    ],
    ['turn/diff/updated', { ...AT, diff: 'd' }, { type: 'diff.updated', diff: 'd' }],
    [
      'turn/plan/updated',
      {
        ...AT,
        explanation: 'why',
        plan: [
          { step: 'A', status: 'inProgress' },
          { step: 'B', status: 'new' },
        ],
      },
      {
        type: 'plan.updated',
        text: 'why',
        steps: [
          { step: 'A', status: 'in_progress' },
          { step: 'B', status: 'pending' },
        ],
      },
    ],
    [
      'item/agentMessage/delta',
      { ...AT, itemId: 'i', delta: 'x' },
      { type: 'item.delta', channel: 'assistant', delta: 'x', part: 0 },
    ],
    ['item/plan/delta', { ...AT, itemId: 'i', delta: 'x' }, { type: 'item.delta', channel: 'plan' }],
    [
      'item/reasoning/summaryTextDelta',
      { ...AT, itemId: 'i', delta: 'x', summaryIndex: 2 },
      { type: 'item.delta', channel: 'reasoning', part: 2 },
    ],
    [
      'item/reasoning/textDelta',
      { ...AT, itemId: 'i', delta: 'x', contentIndex: 1 },
      { type: 'item.delta', channel: 'reasoning', part: 1 },
    ],
    [
      'item/commandExecution/outputDelta',
      { ...AT, itemId: 'i', delta: 'x' },
      { type: 'item.delta', channel: 'command' },
    ],
    [
      'item/commandExecution/terminalInteraction',
      { ...AT, itemId: 'i', stdin: 'y\n' },
      { type: 'item.progress', text: 'y\n' },
    ],
    ['item/mcpToolCall/progress', { ...AT, itemId: 'i', message: 'half' }, { type: 'item.progress', text: 'half' }],
    [
      'item/fileChange/patchUpdated',
      { ...AT, itemId: 'i', changes: [{ path: 'a', kind: 'add', diff: 'x' }] },
      { type: 'item.changes', changes: [{ path: 'a', kind: 'add', diff: 'x' }] },
    ],
    ['serverRequest/resolved', { threadId: 't', requestId: 0 }, { type: 'request.resolved', rpcId: 0 }],
    [
      'mcpServer/startupStatus/updated',
      { threadId: 't', name: 's', status: 'failed', error: 'no' },
      { type: 'warning', threadId: 't', code: 'mcp_server_failed', text: 'MCP server s did not start: no' },
    ],
    ['mcpServer/startupStatus/updated', { name: 's', status: 'ready' }, { type: 'ignored' }],
    ['account/rateLimits/updated', { rateLimits: { a: 1 } }, { type: 'limits.updated', limits: { a: 1 } }],
    ['model/rerouted', { ...AT, fromModel: 'a', toModel: 'b' }, { type: 'model.rerouted', from: 'a', to: 'b' }],
    [
      'error',
      { ...AT, willRetry: true, error: { message: 'm', codexErrorInfo: 'other' } },
      { type: 'error', willRetry: true, failure: { message: 'm', code: 'other' } },
    ],
    ['warning', { threadId: 't', message: 'm' }, { type: 'warning', threadId: 't', text: 'm', code: 'warning' }],
    ['guardianWarning', { threadId: 't', message: 'm' }, { type: 'warning', code: 'guardian' }],
    [
      'configWarning',
      { summary: 's', details: 'd' },
      { type: 'warning', threadId: null, text: 's\nd', code: 'config' },
    ],
    ['deprecationNotice', { summary: 's' }, { type: 'ignored' }],
    ['thread/compacted', AT, { type: 'ignored' }],
    ['thread/readState/changed', { threadId: 't' }, { type: 'ignored', method: 'thread/readState/changed' }],
  ])('%s %j', (method, params, signal) => {
    expect(heard(method, params)).toEqual([expect.objectContaining(signal)]);
  });

  test('the context meter shows the last request, and the sum beside it', () => {
    const counts = (totalTokens: number) => ({
      totalTokens,
      inputTokens: 2,
      cachedInputTokens: 1,
      outputTokens: 3,
      reasoningOutputTokens: 4,
    });
    const tokenUsage = { total: counts(50), last: counts(9), modelContextWindow: 100 };
    expect(heard('thread/tokenUsage/updated', { ...AT, tokenUsage })).toEqual([
      {
        type: 'usage.updated',
        ...AT,
        usage: {
          total_tokens: 9,
          input_tokens: 2,
          cached_input_tokens: 1,
          output_tokens: 3,
          reasoning_output_tokens: 4,
          cumulative_tokens: 50,
          context_window: 100,
        },
      },
    ]);
  });

  test('[CX16] a method nobody knows is unknown, with the thread it names', () => {
    expect(heard('brand/new', { threadId: 't' })).toEqual([{ type: 'unknown', method: 'brand/new', threadId: 't' }]);
    expect(heard('toString', null)).toEqual([{ type: 'unknown', method: 'toString', threadId: null }]);
  });

  test('[CX16][L1] params that do not fit never throw, whatever the method', () => {
    const methods = [...Object.keys(CODEX_NOTIFICATIONS), 'codex/event/item_started', 'codex/event/token_count'];
    fc.assert(
      fc.property(fc.constantFrom(...methods), fc.jsonValue(), (method, params) => {
        expect(Array.isArray(heard(method, params, { ...DIALECT, hasItems: false }))).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(heard('item/started', { threadId: 't' })).toEqual([
      { type: 'unknown', method: 'item/started', threadId: 't' },
    ]);
  });

  test('answers are not signals, and noise is passed on', () => {
    expect(normalize(DIALECT, { kind: 'response', id: 1, result: {} }).signals).toEqual([]);
    expect(normalize(DIALECT, { kind: 'error', id: 1, error: { code: 1, message: '' } }).signals).toEqual([]);
    expect(normalize(DIALECT, { kind: 'noise', text: 'x' }).signals).toEqual([{ type: 'noise', text: 'x' }]);
  });
});

test('a turn of the history is read with its items, its end and its times', () => {
  const turn = CodexTurn.parse({
    id: 'u',
    status: 'inProgress',
    items: [{ type: 'agentMessage', id: 'm', text: 'x' }, 3],
    startedAt: 2,
  });
  expect(turnRecord(DIALECT, turn)).toMatchObject({
    turnId: 'u',
    status: 'running',
    startedAtMs: 2_000,
    items: [{ kind: 'assistant', id: 'm' }],
  });
  expect(turnRecord(DIALECT, CodexTurn.parse({ id: 'u', status: 'odd' }))).toMatchObject({
    status: 'completed',
    items: [],
  });
});
