/**
 * `shown` in the dispositions is a promise: what the notification says reaches a reader. Each such method is sent here once, with a word or
 * number of its own, through the same way as in the server, and that word must be in what the page renders from.
 */
import { expect, test } from 'vitest';
import type { CodexNotificationParams } from '../src/contract/generated/codex-protocol.ts';
import { addWarning } from '../src/core/codex/codex-warnings.ts';
import { SERVER_NOTIFICATIONS } from '../src/core/codex/dispositions.ts';
import { readLimits } from '../src/core/codex/limits.ts';
import type { Signal } from '../src/core/codex/signal.ts';
import { EMPTY_VIEW, reduceConversation } from '../src/core/conversations/reduce.ts';
import { describeLimits } from '../src/web/account/describe-account.ts';
import { deriveTranscript, EMPTY_TRANSCRIPT, rowOf } from '../src/web/transcript/rows.ts';
import { accept, createReader, createRun, type Run } from './recording.ts';

type Method = keyof CodexNotificationParams & string;
type Frame = { [M in Method]: { readonly method: M; readonly params: CodexNotificationParams[M] } }[Method];

const THREAD = 'thread-1';
const TURN = 'turn-1';
const ITEM = 'item-1';
/** No part of any text of ours. */
const WORD = 'zwölfeckig';
const AT = { threadId: THREAD, turnId: TURN };
const OF_ITEM = { ...AT, itemId: ITEM };

type CodexItem = CodexNotificationParams['item/started']['item'];
const COMMAND = {
  type: 'commandExecution',
  id: ITEM,
  pluginId: null,
  scriptPath: null,
  command: 'make',
  cwd: '/p',
  processId: null,
  source: 'agent',
  status: 'inProgress',
  commandActions: [],
  aggregatedOutput: null,
  exitCode: null,
  durationMs: null,
} satisfies CodexItem;
const TOOL = {
  type: 'mcpToolCall',
  id: ITEM,
  server: 's',
  tool: 't',
  status: 'inProgress',
  arguments: {},
  mcpAppUi: null,
  readOnlyHint: null,
  appContext: null,
  pluginId: null,
  result: null,
  error: null,
  durationMs: null,
} satisfies CodexItem;
const CHANGE: CodexItem = { type: 'fileChange', id: ITEM, changes: [], status: 'inProgress' };
const started = (item: CodexItem): Frame => ({ method: 'item/started', params: { ...AT, item, startedAtMs: 1 } });
const ANSWER = {
  type: 'agentMessage',
  id: ITEM,
  moderation: null,
  text: '',
  phase: null,
  memoryCitation: null,
  delivery: null,
  questions: null,
} satisfies CodexItem;
const THINKING: CodexItem = { type: 'reasoning', id: ITEM, summary: [], content: [] };
const PLAN: CodexItem = { type: 'plan', id: ITEM, text: '' };

interface Case {
  /** What Codex says before it. */
  readonly after?: readonly Frame[];
  readonly frame: Frame;
  /** Where a person finds `word`: in the transcript, in what is shown of the running turn, or outside of conversations. */
  readonly seen: 'row' | 'live' | 'banner' | 'account';
  readonly word?: string;
}

const usage = {
  totalTokens: 4_242,
  inputTokens: 1,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
  outputTokens: 1,
  reasoningOutputTokens: 0,
};

const CASES: Readonly<Partial<Record<Method, Case>>> = {
  error: {
    frame: {
      method: 'error',
      params: {
        ...AT,
        error: { message: WORD, codexErrorInfo: null, additionalDetails: null, misalignment: null },
        willRetry: false,
      },
    },
    seen: 'row',
  },
  'thread/tokenUsage/updated': {
    frame: {
      method: 'thread/tokenUsage/updated',
      params: { ...AT, tokenUsage: { total: usage, last: usage, modelContextWindow: 10_000 } },
    },
    seen: 'live',
    word: '4242',
  },
  'turn/diff/updated': {
    frame: { method: 'turn/diff/updated', params: { ...AT, diff: `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+${WORD}\n` } },
    after: [started(CHANGE)],
    seen: 'row',
  },
  'turn/plan/updated': {
    frame: {
      method: 'turn/plan/updated',
      params: { ...AT, explanation: null, plan: [{ step: WORD, status: 'pending' }] },
    },
    seen: 'row',
  },
  'item/started': { frame: started({ ...COMMAND, command: WORD }), seen: 'row' },
  'item/completed': {
    frame: { method: 'item/completed', params: { ...AT, item: { ...ANSWER, text: WORD }, completedAtMs: 1 } },
    seen: 'row',
  },
  'item/agentMessage/delta': {
    after: [started(ANSWER)],
    frame: { method: 'item/agentMessage/delta', params: { ...OF_ITEM, delta: WORD } },
    seen: 'row',
  },
  'item/plan/delta': {
    after: [started(PLAN)],
    frame: { method: 'item/plan/delta', params: { ...OF_ITEM, delta: WORD } },
    seen: 'row',
  },
  'item/commandExecution/outputDelta': {
    after: [started(COMMAND)],
    frame: { method: 'item/commandExecution/outputDelta', params: { ...OF_ITEM, delta: WORD } },
    seen: 'row',
  },
  'item/commandExecution/terminalInteraction': {
    after: [started(COMMAND)],
    frame: {
      method: 'item/commandExecution/terminalInteraction',
      params: { ...OF_ITEM, processId: '1', stdin: WORD },
    },
    seen: 'live',
  },
  'item/fileChange/patchUpdated': {
    after: [started(CHANGE)],
    frame: {
      method: 'item/fileChange/patchUpdated',
      params: { ...OF_ITEM, changes: [{ path: WORD, kind: { type: 'add' }, diff: 'x' }] },
    },
    seen: 'row',
  },
  'item/mcpToolCall/progress': {
    after: [started(TOOL)],
    frame: { method: 'item/mcpToolCall/progress', params: { ...OF_ITEM, message: WORD } },
    seen: 'live',
  },
  'mcpServer/startupStatus/updated': {
    frame: {
      method: 'mcpServer/startupStatus/updated',
      params: { threadId: THREAD, name: 's', status: 'failed', error: WORD, failureReason: null },
    },
    seen: 'row',
  },
  'item/reasoning/summaryTextDelta': {
    after: [started(THINKING)],
    frame: { method: 'item/reasoning/summaryTextDelta', params: { ...OF_ITEM, delta: WORD, summaryIndex: 0 } },
    seen: 'row',
  },
  'item/reasoning/textDelta': {
    after: [started(THINKING)],
    frame: { method: 'item/reasoning/textDelta', params: { ...OF_ITEM, delta: WORD, contentIndex: 0 } },
    seen: 'row',
  },
  'model/rerouted': {
    frame: {
      method: 'model/rerouted',
      params: { ...AT, fromModel: 'a', toModel: WORD, reason: 'highRiskCyberActivity' },
    },
    seen: 'row',
  },
  warning: { frame: { method: 'warning', params: { threadId: THREAD, message: WORD } }, seen: 'row' },
  guardianWarning: { frame: { method: 'guardianWarning', params: { threadId: THREAD, message: WORD } }, seen: 'row' },
  configWarning: {
    frame: { method: 'configWarning', params: { summary: 'odd setting', details: WORD } },
    seen: 'banner',
  },
  'account/rateLimits/updated': {
    frame: {
      method: 'account/rateLimits/updated',
      params: {
        rateLimits: {
          limitId: null,
          limitName: null,
          normalModelSlug: null,
          primary: { usedPercent: 42.4, windowDurationMins: 300, resetsAt: null },
          secondary: null,
          credits: null,
          individualLimit: null,
          spendControlReached: null,
          planType: null,
          rateLimitReachedType: null,
        },
      },
    },
    seen: 'account',
    word: '5-hour limit: 42 % used',
  },
};

const shownMethods = Object.entries(SERVER_NOTIFICATIONS).flatMap(([method, how]) => (how === 'shown' ? [method] : []));

test('[CX30] every method that is called shown has a case here, and no other has', () => {
  expect(Object.keys(CASES).sort()).toEqual([...shownMethods].sort());
});

test.each(Object.entries(CASES))('[CX30] %s is shown', (_method, { after = [], frame, seen, word = WORD }) => {
  const turn: Frame['params'] = {
    threadId: THREAD,
    turn: {
      id: TURN,
      rootTurnId: null,
      items: [],
      itemsView: 'full',
      status: 'inProgress',
      error: null,
      startedAt: 1,
      completedAt: null,
      durationMs: null,
    },
  };
  const run = createRun(THREAD, '/p');
  const reader = createReader();
  const send = (one: { readonly method: string; readonly params: unknown }): Signal[] => {
    const bytes = new TextEncoder().encode(`${JSON.stringify(one)}\n`);
    const signals = reader.push(bytes).flatMap((pushed) => pushed.signals);
    // A signal of no thread never reaches a conversation: `registry.accept` goes by the thread.
    for (const signal of signals) if ('threadId' in signal && signal.threadId === THREAD) accept(run, signal);
    return signals;
  };
  for (const one of [{ method: 'turn/started', params: turn }, ...after]) send(one);
  expect(textOf(seen, run, [])).not.toContain(word);
  expect(textOf(seen, run, send(frame))).toContain(word);
});

/** What the page's parts are given: the rows of the transcript, the running turn, the banner, the account panel. */
function textOf(seen: Case['seen'], run: Run, signals: readonly Signal[]): string {
  const view = run.events.reduce(reduceConversation, EMPTY_VIEW);
  switch (seen) {
    case 'row': {
      const transcript = deriveTranscript(EMPTY_TRANSCRIPT, view.entries, view.live);
      return JSON.stringify(transcript.keys.map((key) => rowOf(transcript, key)));
    }
    case 'live':
      return JSON.stringify([view.live.activity, view.live.usage]);
    case 'banner':
      return signals.reduce(addWarning, [] as readonly string[]).join('\n');
    case 'account':
      return signals
        .flatMap((signal) => (signal.type === 'limits.updated' ? describeLimits(readLimits(signal.limits)) : []))
        .join('\n');
    default:
      return seen satisfies never;
  }
}
