/** What clients hear over `WS /ws/appserver`: durable events (with `seq`), live ones (with `after`), and the frames of the handshake. */
import { z } from 'zod';
import { PendingApproval } from './approval.ts';
import type { ConversationRow } from './conversation.ts';
import type { Entry, NewEntry, Role } from './entry.ts';
import { CommandAction, PlanStep, TokenCounts, ToolKind } from './entry.ts';
import type { EventItem } from './external-event.ts';
import { ConversationId } from './ids.ts';
import { BlockId } from './terminal.ts';

/** The event name under which an entry of a role is told. */
export const EVENT_OF_ROLE = {
  user: 'message',
  delivery: 'delivery',
  assistant: 'assistant_finalize',
  reasoning: 'reasoning_finalize',
  plan: 'plan',
  command: 'command',
  diff: 'diff',
  approval: 'approval_resolved',
  shell_input: 'shell_input',
  shell_output: 'shell_output',
  tool: 'tool',
  status: 'status',
  token_usage: 'token_count',
  error: 'error',
  warning: 'warning',
  external_event: 'external_event',
  board: 'board',
  note: 'note',
} as const satisfies Record<Role, string>;

/** On disk before it is sent; `seq` is its place in the transcript. */
export interface DurableEvent {
  readonly type: (typeof EVENT_OF_ROLE)[NewEntry['role']];
  readonly conversation_id: ConversationId;
  readonly seq: number;
  readonly entry: Entry;
}

/** A thing that is still being made: what its entry will be, so far. */
const LiveItemBase = {
  item_id: z.string(),
  turn_id: z.string(),
  started_at_ms: z.number(),
  /** Text so far; `text_start` characters before it were dropped to bound memory. */
  text: z.string(),
  text_start: z.number().int(),
};

export const LiveItem = z.discriminatedUnion('role', [
  z.object({ role: z.literal('assistant'), ...LiveItemBase }),
  z.object({ role: z.literal('reasoning'), ...LiveItemBase }),
  z.object({ role: z.literal('plan'), steps: z.array(PlanStep), ...LiveItemBase }),
  z.object({
    role: z.literal('command'),
    command: z.string(),
    cwd: z.string(),
    user_shell: z.boolean(),
    actions: z.array(CommandAction).optional(),
    ...LiveItemBase,
  }),
  z.object({
    role: z.literal('tool'),
    name: z.string(),
    kind: ToolKind,
    server: z.string().optional(),
    input: z.string(),
    ...LiveItemBase,
  }),
  z.object({ role: z.literal('diff'), paths: z.array(z.string()), ...LiveItemBase }),
]);
export type LiveItem = z.infer<typeof LiveItem>;

/** What the ribbon shows. */
export const Activity = z.object({
  state: z.enum(['idle', 'starting', 'running', 'waiting']),
  text: z.string(),
  turn_id: z.string().nullable(),
  /** Color of the lamp: how the last thing ended. */
  lamp: z.enum(['off', 'success', 'error', 'warning']),
});
export type Activity = z.infer<typeof Activity>;

const at = {
  conversation_id: ConversationId,
  /** The last seq before this event. */
  after: z.number().int(),
};
const delta = { ...at, item_id: z.string(), turn_id: z.string(), offset: z.number().int(), delta: z.string() };

/** Shown, never stored. `offset` counts UTF-16 units of the item's text before `delta`, so a repeated or late one is recognized. */
export const LiveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('assistant_delta'), ...delta }),
  z.object({ type: z.literal('reasoning_delta'), ...delta }),
  z.object({ type: z.literal('command_delta'), ...delta }),
  z.object({ type: z.literal('plan_delta'), ...delta }),
  /** An item began, or what is known of it changed. */
  z.object({ type: z.literal('item'), ...at, item: LiveItem }),
  /** An item ended and left no entry. */
  z.object({ type: z.literal('discard'), ...at, item_id: z.string(), turn_id: z.string() }),
  z.object({ type: z.literal('activity'), ...at, activity: Activity }),
  z.object({ type: z.literal('approval'), ...at, approval: PendingApproval }),
  z.object({ type: z.literal('usage'), ...at, usage: TokenCounts }),
  /** The running command of the shared terminal has printed up to here; told at most every 250 ms. What it printed is read by HTTP. */
  z.object({ type: z.literal('block_output'), ...at, block_id: BlockId, output_bytes: z.number().int() }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;

/** How the link to Codex is. `failed`: stopped for good until somebody says start. */
export const CodexStatus = z.object({
  state: z.enum(['stopped', 'starting', 'ready', 'restarting', 'failed']),
  version: z.string().nullable(),
  transport: z.enum(['unix', 'stdio']),
  epoch: z.string().nullable(),
  pid: z.number().nullable(),
  /** What went wrong and what happens next, in words for a person. */
  message: z.string().nullable(),
  /** True while the built-in demo model answers instead of an AI. */
  demo: z.boolean(),
});
export type CodexStatus = z.infer<typeof CodexStatus>;

/** Told to every client, whatever it subscribed to. */
export type ServerEvent =
  | { readonly type: 'server_status'; readonly codex: CodexStatus; readonly storage: 'ok' | 'full' | 'failed' }
  /** Somebody signed in or out, here or elsewhere: the account is to be read again. */
  | { readonly type: 'account' }
  /** Something was written on the board, or taken off it. */
  | { readonly type: 'board_news' }
  | { readonly type: 'conversation'; readonly conversation: ConversationRow }
  | { readonly type: 'conversation'; readonly deleted: ConversationId }
  /** App-server style. In a flood one tells of several events: `events` are the newest, `count` is all of them. */
  | {
      readonly type: 'notification';
      readonly method: 'externalEvent/received' | 'externalEvent/changed';
      readonly params: {
        readonly thread_id: string;
        readonly conversation_id: ConversationId;
        readonly events: readonly EventItem[];
        readonly count: number;
        readonly unread: number;
      };
    }
  | { readonly type: 'rpc_response'; readonly id: string | number; readonly result: unknown }
  | { readonly type: 'rpc_error'; readonly id: string | number; readonly code: string; readonly message: string };

export interface SyncStatus {
  readonly activity: Activity;
  readonly usage: TokenCounts | null;
  readonly row: ConversationRow;
}

export type SyncFrame =
  | {
      readonly type: 'sync';
      readonly conversation_id: ConversationId;
      /** replay: `entries` follow what the client has. reset: forget everything, `entries` is the newest page. */
      readonly verdict: 'replay' | 'reset';
      readonly seq: number;
      readonly entries: readonly Entry[];
      /** With a reset: whether there is anything older than `entries`. */
      readonly has_more?: boolean;
      readonly live: readonly LiveItem[];
      readonly approvals: readonly PendingApproval[];
      readonly status: SyncStatus;
    }
  | { readonly type: 'synchronized'; readonly conversation_id: ConversationId; readonly seq: number }
  /** The answer to a ping: the link works in both directions. */
  | { readonly type: 'pong' }
  | { readonly type: 'unsubscribed'; readonly conversation_id: ConversationId }
  | { readonly type: 'refused'; readonly code: string; readonly message: string; readonly conversation_id?: string };

export type UiEvent = DurableEvent | LiveEvent;
export type ServerFrame = UiEvent | ServerEvent | SyncFrame;

/** What a client may say on the socket. */
export const ClientFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('subscribe'), conversation_id: ConversationId, after: z.number().int().optional() }),
  z.object({ type: z.literal('unsubscribe'), conversation_id: ConversationId }),
  z.object({
    type: z.literal('rpc'),
    id: z.union([z.string().max(100), z.number()]),
    method: z.string().max(100),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ type: z.literal('ping') }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** A client with more than this waiting is cut off with CLOSE_RESYNC and comes back with its cursor. */
export const MAX_CLIENT_QUEUE_BYTES = 8 * 1024 * 1024;
export const MAX_CLIENT_QUEUE_EVENTS = 5_000;
export const CLOSE_RESYNC = 4008;
/** The browser session behind the socket has ended: coming back needs a login. */
export const CLOSE_SIGNED_OUT = 4001;
/** A gap longer than this is told as a reset: loading the newest page is cheaper than replaying it. */
export const MAX_REPLAY_ENTRIES = 1_000;
export const PAGE_ENTRIES = 50;
