/**
 * `codex/event/…`: the stream old versions send beside, or instead of, `turn/…` and `item/…`. Read only while a connection has
 * shown no item of the current kind. Delete this file, and its call in `normalize`, when those versions are dropped.
 */

import { CodexItem } from '../../contract/codex.ts';
import { isRecord } from '../text/is-record.ts';
import { joinWords } from '../text/shell-words.ts';
import { itemOf } from './item.ts';
import type { Signal } from './signal.ts';

type Json = Readonly<Record<string, unknown>>;

export function legacySignals(event: string, params: unknown): readonly Signal[] {
  if (!isRecord(params) || !isRecord(params.msg))
    return [{ type: 'unknown', method: `codex/event/${event}`, threadId: null }];
  const msg = params.msg;
  const at = {
    threadId: text(msg.thread_id) || text(params.conversationId),
    turnId: text(msg.turn_id) || text(params.id),
  };
  switch (event) {
    case 'task_started':
      return [{ type: 'turn.started', ...at, startedAtMs: null }];
    case 'task_complete':
      return [{ type: 'turn.completed', ...at, status: 'completed', failure: null, durationMs: null }];
    case 'turn_aborted':
      return [{ type: 'turn.completed', ...at, status: 'interrupted', failure: null, durationMs: null }];
    case 'item_started':
      return itemSignal('item.started', at, msg.item);
    case 'item_completed':
      return itemSignal('item.completed', at, msg.item);
    case 'agent_message_content_delta':
      return [deltaSignal(at, msg, 'assistant')];
    case 'reasoning_content_delta':
      return [deltaSignal(at, msg, 'reasoning')];
    case 'exec_command_begin':
      return rawItem('item.started', at, commandOf(msg));
    case 'exec_command_end':
      return rawItem('item.completed', at, commandOf(msg));
    case 'turn_diff':
      return [{ type: 'diff.updated', ...at, diff: text(msg.unified_diff) }];
    case 'plan_update':
      return [{ type: 'plan.updated', ...at, steps: stepsOf(msg.plan), text: text(msg.explanation) || null }];
    case 'token_count':
      return usageSignal(at, msg.info);
    case 'error':
      return [{ type: 'error', ...at, failure: { message: text(msg.message), code: null }, willRetry: false }];
    case 'stream_error':
      return [{ type: 'error', ...at, failure: { message: text(msg.message), code: null }, willRetry: true }];
    case 'warning':
      return [{ type: 'warning', threadId: at.threadId, text: text(msg.message), code: 'warning' }];
    default:
      return [{ type: 'ignored', method: `codex/event/${event}` }];
  }
}

interface At {
  readonly threadId: string;
  readonly turnId: string;
}

/** `AgentMessage` with content parts → `agentMessage` with text. */
function itemSignal(type: 'item.started' | 'item.completed', at: At, item: unknown): readonly Signal[] {
  if (!isRecord(item)) return [];
  const kind = text(item.type);
  const body = {
    ...item,
    type: kind.slice(0, 1).toLowerCase() + kind.slice(1),
    ...(kind === 'AgentMessage' && { text: partsText(item.content) }),
    ...(kind === 'Reasoning' && { summary: item.summary_text, content: item.raw_content }),
  };
  return rawItem(type, at, body);
}

function rawItem(type: 'item.started' | 'item.completed', at: At, body: unknown): readonly Signal[] {
  const parsed = CodexItem.safeParse(body);
  return parsed.success ? [{ type, ...at, item: itemOf(parsed.data) }] : [];
}

function commandOf(msg: Json): Json {
  const argv = Array.isArray(msg.command) ? msg.command.map(text) : [];
  const duration = isRecord(msg.duration) ? Number(msg.duration.secs) * 1000 + Number(msg.duration.nanos) / 1e6 : null;
  const parsed = Array.isArray(msg.parsed_cmd) ? msg.parsed_cmd.filter(isRecord) : [];
  return {
    type: 'commandExecution',
    id: msg.call_id,
    command: joinWords(argv),
    cwd: msg.cwd,
    status: msg.exit_code === undefined ? 'inProgress' : msg.exit_code === 0 ? 'completed' : 'failed',
    commandActions: parsed.map((one) => ({ ...one, command: one.cmd })),
    source: msg.source === 'user_shell' ? 'userShell' : msg.source,
    aggregatedOutput: msg.aggregated_output,
    exitCode: msg.exit_code,
    durationMs: duration !== null && Number.isFinite(duration) ? Math.floor(duration) : null,
  };
}

function usageSignal(at: At, info: unknown): readonly Signal[] {
  if (!isRecord(info) || !isRecord(info.last_token_usage) || !isRecord(info.total_token_usage)) return [];
  const { last_token_usage: last, total_token_usage: total } = info;
  const usage = {
    total_tokens: count(last.total_tokens),
    input_tokens: count(last.input_tokens),
    cached_input_tokens: count(last.cached_input_tokens),
    output_tokens: count(last.output_tokens),
    reasoning_output_tokens: count(last.reasoning_output_tokens),
    cumulative_tokens: count(total.total_tokens),
    context_window: typeof info.model_context_window === 'number' ? info.model_context_window : null,
  };
  return [{ type: 'usage.updated', ...at, usage }];
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function stepsOf(plan: unknown): Extract<Signal, { type: 'plan.updated' }>['steps'] {
  return (Array.isArray(plan) ? plan.filter(isRecord) : []).map((one) => ({
    step: text(one.step),
    status: one.status === 'completed' || one.status === 'in_progress' ? one.status : 'pending',
  }));
}

function deltaSignal(at: At, msg: Json, channel: 'assistant' | 'reasoning'): Signal {
  const part = typeof msg.summary_index === 'number' ? msg.summary_index : 0;
  return { type: 'item.delta', ...at, itemId: text(msg.item_id), channel, delta: text(msg.delta), part };
}

function partsText(content: unknown): string {
  return (Array.isArray(content) ? content : []).map((part) => (isRecord(part) ? text(part.text) : '')).join('');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
