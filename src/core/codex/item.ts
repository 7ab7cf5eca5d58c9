/** Codex's items in our words: one shape per thing a person sees. */

import type { CodexItem } from '../../contract/codex.ts';
import { CodexUserInput } from '../../contract/codex.ts';
import type { AgentRef, EntryOf } from '../../contract/entry.ts';
import { stripSentinel } from '../context/carriers.ts';
import { isContextual as isContextualText } from '../context/markers.ts';
import { isRecord } from '../text/is-record.ts';
import { unquoteWord } from '../text/shell-words.ts';

export interface FileChange {
  readonly path: string;
  readonly kind: 'add' | 'update' | 'delete' | 'move';
  readonly diff: string;
  readonly movedTo?: string;
}

type ItemStatus = 'in_progress' | 'completed' | 'failed' | 'declined';

export type Item =
  | {
      readonly kind: 'user';
      readonly id: string;
      readonly text: string;
      readonly images: readonly Image[];
      readonly clientId: string | null;
      /** Looks like state that Codex or a client put in, and like nothing a person typed. */
      readonly isContextual: boolean;
      /** The other program of Codex in which it was said. */
      readonly from?: string;
    }
  | {
      readonly kind: 'assistant';
      readonly id: string;
      readonly text: string;
      readonly phase: string | null;
      readonly questions: NonNullable<EntryOf<'assistant'>['questions']>;
    }
  | { readonly kind: 'reasoning'; readonly id: string; readonly text: string }
  | { readonly kind: 'plan'; readonly id: string; readonly text: string }
  | {
      readonly kind: 'command';
      readonly id: string;
      readonly command: string;
      readonly argv: string;
      readonly cwd: string;
      readonly output: string;
      readonly exitCode: number | null;
      readonly durationMs: number | null;
      readonly status: ItemStatus;
      readonly actions: EntryOf<'command'>['actions'];
      readonly processId: string | null;
      readonly isUserShell: boolean;
    }
  | {
      readonly kind: 'file_change';
      readonly id: string;
      readonly changes: readonly FileChange[];
      readonly status: ItemStatus;
    }
  | {
      readonly kind: 'tool';
      readonly id: string;
      readonly tool: EntryOf<'tool'>['kind'];
      readonly name: string;
      readonly server: string | null;
      readonly input: string;
      readonly output: string;
      readonly error: string | null;
      readonly status: ItemStatus;
      readonly durationMs: number | null;
      /** The sub-agent this item tells of: its thread belongs to this conversation too. */
      readonly agent: AgentActivity | null;
    }
  | { readonly kind: 'note'; readonly id: string; readonly note: EntryOf<'note'>['kind']; readonly text: string };

type Image = NonNullable<EntryOf<'user'>['images']>[number];

export interface AgentActivity {
  readonly threadId: string;
  /** Empty where Codex gives none. */
  readonly path: string;
  readonly activity: Exclude<AgentRef['activity'], 'turn'>;
}

export function itemOf(raw: CodexItem): Item {
  const id = raw.id;
  switch (raw.type) {
    case 'userMessage':
      return userItem(raw);
    case 'agentMessage':
      return { kind: 'assistant', id, text: raw.text ?? '', phase: raw.phase ?? null, questions: questionsOf(raw) };
    case 'reasoning':
      return { kind: 'reasoning', id, text: reasoningText(raw) };
    case 'plan':
      return { kind: 'plan', id, text: raw.text ?? '' };
    case 'commandExecution':
      return commandItem(raw);
    case 'fileChange':
      return { kind: 'file_change', id, changes: fileChanges(raw), status: statusOf(raw.status) };
    case 'contextCompaction':
      return {
        kind: 'note',
        id,
        note: 'compaction',
        text: 'Context compacted: older messages were replaced by a summary.',
      };
    case 'enteredReviewMode':
      return { kind: 'note', id, note: 'review_started', text: `Review started: ${raw.review ?? ''}`.trim() };
    case 'exitedReviewMode':
      return { kind: 'note', id, note: 'review_finished', text: 'Review finished.' };
    default:
      return toolItem(raw);
  }
}

function userItem(raw: CodexItem): Item {
  const texts: string[] = [];
  const images: Image[] = [];
  for (const part of Array.isArray(raw.content) ? raw.content : []) {
    const input = CodexUserInput.safeParse(part);
    if (!input.success) continue;
    const { type, text, url, path } = input.data;
    if (type === 'text' && typeof text === 'string') texts.push(text);
    else if (type === 'image' && typeof url === 'string') images.push({ kind: 'url', value: url });
    else if (type === 'localImage' && typeof path === 'string') images.push({ kind: 'path', value: path });
  }
  const isContextual = texts.length > 0 && images.length === 0 && texts.every(isContextualText);
  const text = texts.map((one, at) => (at === 0 ? stripSentinel(one) : one)).join('\n');
  return { kind: 'user', id: raw.id, text, images, clientId: raw.clientId ?? null, isContextual };
}

function questionsOf(raw: CodexItem): NonNullable<EntryOf<'assistant'>['questions']> {
  return (raw.questions ?? []).map((one) => ({ title: one.title, options: one.options.map(plainText) }));
}

function reasoningText(raw: CodexItem): string {
  const summary = raw.summary ?? [];
  const content = Array.isArray(raw.content) ? raw.content.filter((one) => typeof one === 'string') : [];
  return (summary.length > 0 ? summary : content).join('\n\n');
}

function commandItem(raw: CodexItem): Item {
  const argv = raw.command ?? '';
  const actions = (raw.commandActions ?? []).map((action) => {
    const { type, command, name, path, query } = action;
    return {
      type,
      ...(typeof command === 'string' && { command }),
      ...(typeof name === 'string' && { name }),
      ...(typeof path === 'string' && { path }),
      ...(typeof query === 'string' && { query }),
    };
  });
  return {
    kind: 'command',
    id: raw.id,
    command: typedCommand(argv),
    argv,
    cwd: raw.cwd ?? '',
    output: raw.aggregatedOutput ?? '',
    exitCode: raw.exitCode ?? null,
    durationMs: raw.durationMs ?? null,
    status: statusOf(raw.status),
    actions,
    processId: raw.processId ?? null,
    isUserShell: raw.source === 'userShell',
  };
}

const SHELL_WRAPPER = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c (.*)$/s;

/** `/bin/bash -lc 'ls'` → `ls`. Not from the actions: of `echo hi; ls` Codex lists only the `ls`. */
export function typedCommand(argv: string): string {
  const inner = SHELL_WRAPPER.exec(argv)?.[1];
  return (inner === undefined ? null : unquoteWord(inner)) || argv;
}

export function fileChanges(raw: { readonly changes?: CodexItem['changes'] }): readonly FileChange[] {
  return (raw.changes ?? []).map(({ path, kind, diff }) => {
    const moved = kind.movePath;
    if (moved !== null) return { path, kind: 'move', diff, movedTo: moved };
    return { path, kind: kind.type === 'add' || kind.type === 'delete' ? kind.type : 'update', diff };
  });
}

const TOOL_KINDS: ReadonlyMap<string, EntryOf<'tool'>['kind']> = new Map([
  ['mcpToolCall', 'mcp'],
  ['dynamicToolCall', 'dynamic'],
  ['webSearch', 'web_search'],
  ['imageView', 'image_view'],
  ['imageGeneration', 'image_generation'],
  ['subAgentActivity', 'sub_agent'],
  ['collabAgentToolCall', 'sub_agent'],
  ['sleep', 'sleep'],
  ['functionCallOutput', 'function_output'],
  ['hookPrompt', 'hook'],
]);

function toolItem(raw: CodexItem): Item {
  const result = isRecord(raw.result) ? (raw.result.content ?? raw.result) : raw.result;
  const error = isRecord(raw.error) && typeof raw.error.message === 'string' ? raw.error.message : null;
  return {
    kind: 'tool',
    id: raw.id,
    tool: TOOL_KINDS.get(raw.type) ?? 'unknown',
    name: toolName(raw),
    server: raw.server ?? raw.namespace ?? null,
    input: toolInput(raw),
    output: plainText(result ?? raw.contentItems ?? raw.output ?? raw.fragments ?? ''),
    error,
    status: error !== null || raw.success === false ? 'failed' : toolStatus(raw),
    durationMs: raw.durationMs ?? null,
    agent: agentOf(raw),
  };
}

function toolName(raw: CodexItem): string {
  if (raw.type === 'subAgentActivity') return `${raw.agentPath ?? 'sub-agent'} ${raw.kind ?? ''}`.trim();
  return raw.tool ?? raw.name ?? raw.type;
}

const ACTIVITIES: ReadonlyMap<string, AgentActivity['activity']> = new Map([
  ['started', 'started'],
  ['interacted', 'messaged'],
  ['interrupted', 'stopped'],
  ['completed', 'completed'],
  // Calls of models that have the older tools; their other calls wait for sub-agents or end them, and name no single one.
  ['spawnAgent', 'started'],
  ['sendInput', 'messaged'],
]);

function agentOf({ type, kind, tool, agentThreadId, agentPath, receiverThreadIds }: CodexItem): AgentActivity | null {
  const isCall = type === 'collabAgentToolCall';
  const activity = ACTIVITIES.get((isCall ? tool : kind) ?? '');
  // A call that starts a sub-agent names it only when it is over.
  const threadId = isCall ? receiverThreadIds?.[0] : agentThreadId;
  if (activity === undefined || typeof threadId !== 'string') return null;
  return { threadId, path: agentPath ?? '', activity };
}

function toolInput(raw: CodexItem): string {
  if (!TOOL_KINDS.has(raw.type)) return unknownInput(raw);
  if (raw.arguments !== undefined)
    return typeof raw.arguments === 'string' ? raw.arguments : JSON.stringify(raw.arguments);
  return raw.query ?? raw.path ?? raw.prompt ?? '';
}

/** An item of a newer Codex is shown as it came, so that nothing it says is lost; its type only where the name is another word. */
function unknownInput(raw: CodexItem): string {
  const hidden = toolName(raw) === raw.type ? ['id', 'type'] : ['id'];
  const told = Object.entries(raw).filter(
    ([key, value]) => !hidden.includes(key) && value !== null && value !== undefined,
  );
  return told.length === 0 ? '' : JSON.stringify(Object.fromEntries(told));
}

/** Items that are told in one go carry no status: they are over when they are told. */
function toolStatus(raw: CodexItem): ItemStatus {
  return typeof raw.status === 'string' ? statusOf(raw.status) : 'completed';
}

function statusOf(status: string | null | undefined): ItemStatus {
  switch (status) {
    case 'completed':
    case 'failed':
    case 'declined':
      return status;
    default:
      return 'in_progress';
  }
}

/** Content parts → their text, or what they are where that is no text; anything else → JSON. */
function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(plainText).join('\n');
  if (!isRecord(value)) return JSON.stringify(value);
  if (typeof value.text === 'string') return value.text;
  const isBinary = [value.data, value.blob, value.imageUrl, value.image_url].some((one) => typeof one === 'string');
  return isBinary && typeof value.type === 'string' ? `[${value.type}]` : JSON.stringify(value);
}
