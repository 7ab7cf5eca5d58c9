/** Frame → signals. The only file that knows which Codex version says what; the oldest shapes are in `legacy-events.ts`. */

import type { CodexNotificationMethod, CodexTurn } from '../../contract/codex.ts';
import { CODEX_NOTIFICATIONS } from '../../contract/codex.ts';
import type { Schema } from '../../contract/schema.ts';
import { isRecord } from '../text/is-record.ts';
import { appliedSettings } from './applied-settings.ts';
import { SERVER_NOTIFICATIONS } from './dispositions.ts';
import type { Frame } from './frame.ts';
import { fileChanges, itemOf } from './item.ts';
import { legacySignals } from './legacy-events.ts';
import { requestSignal } from './requests.ts';
import type { Signal, TurnEnd, TurnFailure, TurnRecord } from './signal.ts';

/** What one connection to Codex has taught us about how it speaks. */
export interface Dialect {
  /** Names the Codex process; old versions count turns from 0 in each process, and this keeps theirs apart. */
  readonly epoch: string;
  /** The connection carries `turn/…` and `item/…`: the parallel `codex/event/…` stream says nothing new. */
  readonly hasItems: boolean;
}

export interface NormalizeStep {
  readonly dialect: Dialect;
  readonly signals: readonly Signal[];
}

export function normalize(dialect: Dialect, frame: Frame): NormalizeStep {
  switch (frame.kind) {
    case 'response':
    case 'error':
      return { dialect, signals: [] };
    case 'noise':
      return { dialect, signals: [{ type: 'noise', text: frame.text }] };
    case 'request':
      return { dialect, signals: [scopeTurns(dialect, requestSignal(dialect.epoch, frame))] };
    case 'notification': {
      if (frame.method.startsWith('codex/event/')) {
        const signals = dialect.hasItems ? [] : legacySignals(frame.method.slice('codex/event/'.length), frame.params);
        return { dialect, signals: signals.map((signal) => scopeTurns(dialect, signal)) };
      }
      const hasItems = dialect.hasItems || /^(turn|item)\//.test(frame.method);
      const signal = scopeTurns(dialect, notificationSignal(frame.method, frame.params));
      return { dialect: hasItems === dialect.hasItems ? dialect : { ...dialect, hasItems }, signals: [signal] };
    }
    default:
      return frame satisfies never;
  }
}

function scopeTurns(dialect: Dialect, signal: Signal): Signal {
  if (!('turnId' in signal) || signal.turnId === null) return signal;
  const turnId = ownTurnId(dialect, signal.turnId);
  return turnId === signal.turnId ? signal : { ...signal, turnId };
}

/** The id we know a turn by. An old Codex counts from 0 in each process: `0` → `<epoch>.0`; ids of current versions are unique by themselves. */
export function ownTurnId(dialect: Dialect, turnId: string): string {
  return /^\d+$/.test(turnId) ? `${dialect.epoch}.${turnId}` : turnId;
}

/** The inverse: the id to send back to the Codex that counts. */
export function codexTurnId(turnId: string): string {
  return /\.(\d+)$/.exec(turnId)?.[1] ?? turnId;
}

/** One method's params, checked and read; null when they do not fit. */
type Reader = (params: unknown) => Signal | null;

function reader<T>(schema: Schema<T>, read: (params: T) => Signal): Reader {
  return (params) => {
    const parsed = schema.safeParse(params);
    return parsed.success ? read(parsed.data) : null;
  };
}

const READERS = {
  'thread/started': reader(CODEX_NOTIFICATIONS['thread/started'], ({ thread }) => ({
    type: 'thread.started',
    threadId: thread.id,
    cwd: thread.cwd,
    parentThreadId: thread.parentThreadId ?? null,
  })),
  'thread/status/changed': reader(CODEX_NOTIFICATIONS['thread/status/changed'], ({ threadId, status }) => ({
    type: 'thread.status',
    threadId,
    status: status.type,
    flags: status.activeFlags ?? [],
  })),
  'thread/archived': reader(CODEX_NOTIFICATIONS['thread/archived'], ({ threadId }) => ({
    type: 'thread.gone',
    threadId,
    how: 'archived',
  })),
  'thread/unarchived': reader(CODEX_NOTIFICATIONS['thread/unarchived'], ({ threadId }) => ({
    type: 'thread.gone',
    threadId,
    how: 'unarchived',
  })),
  'thread/deleted': reader(CODEX_NOTIFICATIONS['thread/deleted'], ({ threadId }) => ({
    type: 'thread.gone',
    threadId,
    how: 'deleted',
  })),
  'thread/closed': reader(CODEX_NOTIFICATIONS['thread/closed'], ({ threadId }) => ({
    type: 'thread.gone',
    threadId,
    how: 'closed',
  })),
  'thread/settings/updated': reader(CODEX_NOTIFICATIONS['thread/settings/updated'], ({ threadId, threadSettings }) => ({
    type: 'thread.settings',
    threadId,
    settings: appliedSettings({ ...threadSettings, sandbox: threadSettings.sandboxPolicy }),
  })),
  // The same news comes as a contextCompaction item.
  'thread/compacted': reader(CODEX_NOTIFICATIONS['thread/compacted'], () => ({
    type: 'ignored',
    method: 'thread/compacted',
  })),
  'thread/tokenUsage/updated': reader(
    CODEX_NOTIFICATIONS['thread/tokenUsage/updated'],
    ({ threadId, turnId, tokenUsage }) => ({
      type: 'usage.updated',
      threadId,
      turnId,
      usage: {
        total_tokens: tokenUsage.last.totalTokens,
        input_tokens: tokenUsage.last.inputTokens,
        cached_input_tokens: tokenUsage.last.cachedInputTokens,
        output_tokens: tokenUsage.last.outputTokens,
        reasoning_output_tokens: tokenUsage.last.reasoningOutputTokens,
        cumulative_tokens: tokenUsage.total.totalTokens,
        context_window: tokenUsage.modelContextWindow ?? null,
      },
    }),
  ),
  'turn/started': reader(CODEX_NOTIFICATIONS['turn/started'], ({ threadId, turn }) => ({
    type: 'turn.started',
    threadId,
    turnId: turn.id,
    startedAtMs: secondsToMs(turn.startedAt),
  })),
  'turn/completed': reader(CODEX_NOTIFICATIONS['turn/completed'], ({ threadId, turn }) => ({
    type: 'turn.completed',
    threadId,
    turnId: turn.id,
    status: turnEnd(turn.status),
    failure: failureOf(turn.error),
    durationMs: turn.durationMs ?? null,
  })),
  'turn/diff/updated': reader(CODEX_NOTIFICATIONS['turn/diff/updated'], ({ threadId, turnId, diff }) => ({
    type: 'diff.updated',
    threadId,
    turnId,
    diff,
  })),
  'turn/plan/updated': reader(CODEX_NOTIFICATIONS['turn/plan/updated'], ({ threadId, turnId, plan, explanation }) => ({
    type: 'plan.updated',
    threadId,
    turnId,
    steps: plan.map(({ step, status }) => ({ step, status: stepStatus(status) })),
    text: explanation ?? null,
  })),
  'item/started': reader(CODEX_NOTIFICATIONS['item/started'], ({ threadId, turnId, item }) => ({
    type: 'item.started',
    threadId,
    turnId,
    item: itemOf(item),
  })),
  'item/completed': reader(CODEX_NOTIFICATIONS['item/completed'], ({ threadId, turnId, item }) => ({
    type: 'item.completed',
    threadId,
    turnId,
    item: itemOf(item),
  })),
  'item/agentMessage/delta': reader(CODEX_NOTIFICATIONS['item/agentMessage/delta'], (params) =>
    deltaSignal(params, 'assistant', 0),
  ),
  'item/plan/delta': reader(CODEX_NOTIFICATIONS['item/plan/delta'], (params) => deltaSignal(params, 'plan', 0)),
  'item/reasoning/summaryTextDelta': reader(CODEX_NOTIFICATIONS['item/reasoning/summaryTextDelta'], (params) =>
    deltaSignal(params, 'reasoning', params.summaryIndex),
  ),
  'item/reasoning/textDelta': reader(CODEX_NOTIFICATIONS['item/reasoning/textDelta'], (params) =>
    deltaSignal(params, 'reasoning', params.contentIndex),
  ),
  'item/commandExecution/outputDelta': reader(CODEX_NOTIFICATIONS['item/commandExecution/outputDelta'], (params) =>
    deltaSignal(params, 'command', 0),
  ),
  'item/commandExecution/terminalInteraction': reader(
    CODEX_NOTIFICATIONS['item/commandExecution/terminalInteraction'],
    ({ threadId, turnId, itemId, stdin }) => ({
      type: 'item.progress',
      threadId,
      turnId,
      itemId,
      text: stdin,
    }),
  ),
  'item/fileChange/patchUpdated': reader(
    CODEX_NOTIFICATIONS['item/fileChange/patchUpdated'],
    ({ threadId, turnId, itemId, changes }) => ({
      type: 'item.changes',
      threadId,
      turnId,
      itemId,
      changes: fileChanges({ changes }),
    }),
  ),
  'item/mcpToolCall/progress': reader(
    CODEX_NOTIFICATIONS['item/mcpToolCall/progress'],
    ({ threadId, turnId, itemId, message }) => ({
      type: 'item.progress',
      threadId,
      turnId,
      itemId,
      text: message,
    }),
  ),
  'serverRequest/resolved': reader(CODEX_NOTIFICATIONS['serverRequest/resolved'], ({ threadId, requestId }) => ({
    type: 'request.resolved',
    threadId,
    rpcId: requestId,
  })),
  'mcpServer/startupStatus/updated': reader(
    CODEX_NOTIFICATIONS['mcpServer/startupStatus/updated'],
    ({ threadId, name, status, error }) =>
      status === 'failed'
        ? {
            type: 'warning',
            threadId: threadId ?? null,
            code: 'mcp_server_failed',
            text: `MCP server ${name} did not start: ${error ?? 'unknown reason'}`,
          }
        : { type: 'ignored', method: 'mcpServer/startupStatus/updated' },
  ),
  'account/login/completed': reader(CODEX_NOTIFICATIONS['account/login/completed'], ({ error }) => ({
    type: 'login.completed',
    error: error ?? null,
  })),
  'account/rateLimits/updated': reader(CODEX_NOTIFICATIONS['account/rateLimits/updated'], ({ rateLimits }) => ({
    type: 'limits.updated',
    limits: rateLimits,
  })),
  'model/rerouted': reader(CODEX_NOTIFICATIONS['model/rerouted'], ({ threadId, turnId, fromModel, toModel }) => ({
    type: 'model.rerouted',
    threadId,
    turnId,
    from: fromModel,
    to: toModel,
  })),
  error: reader(CODEX_NOTIFICATIONS.error, ({ threadId, turnId, error, willRetry }) => ({
    type: 'error',
    threadId,
    turnId,
    failure: failureOf(error) ?? { message: 'unknown error', code: null },
    willRetry,
  })),
  warning: reader(CODEX_NOTIFICATIONS.warning, ({ threadId, message }) => ({
    type: 'warning',
    threadId: threadId ?? null,
    text: message,
    code: 'warning',
  })),
  guardianWarning: reader(CODEX_NOTIFICATIONS.guardianWarning, ({ threadId, message }) => ({
    type: 'warning',
    threadId: threadId ?? null,
    text: message,
    code: 'guardian',
  })),
  configWarning: reader(CODEX_NOTIFICATIONS.configWarning, ({ summary, details }) => ({
    type: 'warning',
    threadId: null,
    text: details ? `${summary}\n${details}` : summary,
    code: 'config',
  })),
  deprecationNotice: reader(CODEX_NOTIFICATIONS.deprecationNotice, () => ({
    type: 'ignored',
    method: 'deprecationNotice',
  })),
} satisfies Record<CodexNotificationMethod, Reader>;

function notificationSignal(method: string, params: unknown): Signal {
  const signal = isRead(method)
    ? READERS[method](params)
    : isKnown(method)
      ? ({ type: 'ignored', method } as const)
      : null;
  return signal ?? { type: 'unknown', method, threadId: threadOf(params) };
}

function isRead(method: string): method is CodexNotificationMethod {
  return Object.hasOwn(CODEX_NOTIFICATIONS, method);
}

function isKnown(method: string): boolean {
  return Object.hasOwn(SERVER_NOTIFICATIONS, method);
}

function deltaSignal(
  params: { readonly threadId: string; readonly turnId: string; readonly itemId: string; readonly delta: string },
  channel: Extract<Signal, { type: 'item.delta' }>['channel'],
  part: number,
): Signal {
  const { threadId, turnId, itemId, delta } = params;
  return { type: 'item.delta', threadId, turnId, itemId, channel, delta, part };
}

export function turnRecord(dialect: Dialect, turn: CodexTurn): TurnRecord {
  const isRunning = turn.status === 'inProgress';
  return {
    turnId: ownTurnId(dialect, turn.id),
    status: isRunning ? 'running' : turnEnd(turn.status),
    items: withoutReviewPrompt(turn.items).map(itemOf),
    failure: failureOf(turn.error),
    durationMs: turn.durationMs ?? null,
    startedAtMs: secondsToMs(turn.startedAt),
  };
}

/**
 * Codex's history keeps the inner turn of a review as a turn that never ended and holds nothing but the prompt. A turn of a person, also one
 * whose process was killed, is its own root.
 */
export function isReviewPrompt({ id, rootTurnId, status, completedAt, items }: CodexTurn): boolean {
  if (typeof rootTurnId !== 'string' || rootTurnId === id || status !== 'interrupted') return false;
  const isPrompt = (item: CodexTurn['items'][number]) =>
    item.type === 'userMessage' && typeof item.clientId !== 'string';
  return typeof completedAt !== 'number' && items.every(isPrompt);
}

/** Codex keeps the prompt of a review as a message of the user. It takes no message of a person into a review. */
function withoutReviewPrompt(items: CodexTurn['items']): CodexTurn['items'] {
  if (!items.some((item) => item.type === 'enteredReviewMode')) return items;
  return items.filter((item) => item.type !== 'userMessage' || typeof item.clientId === 'string');
}

function turnEnd(status: string): TurnEnd {
  return status === 'failed' || status === 'interrupted' ? status : 'completed';
}

function stepStatus(status: string): 'pending' | 'in_progress' | 'completed' {
  if (status === 'completed') return 'completed';
  return status === 'inProgress' || status === 'in_progress' ? 'in_progress' : 'pending';
}

/** `codexErrorInfo` is a word, or an object with one key, or something newer. */
function failureOf(
  error:
    | {
        readonly message: string;
        readonly codexErrorInfo?: unknown;
        readonly additionalDetails?: string | null | undefined;
      }
    | null
    | undefined,
): TurnFailure | null {
  if (error === null || error === undefined) return null;
  const info = error.codexErrorInfo;
  const code = typeof info === 'string' ? info : isRecord(info) ? (Object.keys(info)[0] ?? null) : null;
  const details = error.additionalDetails;
  return { message: details ? `${error.message}\n${details}` : error.message, code };
}

function threadOf(params: unknown): string | null {
  return isRecord(params) && typeof params.threadId === 'string' ? params.threadId : null;
}

function secondsToMs(seconds: number | null | undefined): number | null {
  return typeof seconds === 'number' ? seconds * 1000 : null;
}
