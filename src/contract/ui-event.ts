/** What clients hear over `WS /ws/appserver`: durable events (with `seq`), live ones (with `after`), and the frames of the handshake. */
import { z } from 'zod';
import { PendingApproval } from './approval.ts';
import { ConversationRow } from './conversation.ts';
import { AgentRef, CommandAction, Entry, PlanStep, type Role, TokenCounts, ToolKind } from './entry.ts';
import { EventItem } from './external-event.ts';
import { ConversationId } from './ids.ts';
import { PageSettings } from './page-settings.ts';
import { rpcFields } from './rpc.ts';
import { RunningCommand } from './running.ts';
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
const DurableEvent = z.object({
  type: z.enum(EVENT_OF_ROLE),
  conversation_id: ConversationId,
  seq: z.number().int(),
  entry: Entry,
});
export type DurableEvent = z.infer<typeof DurableEvent>;

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
    /** Of a sub-agent's running turn; `text` is what it does now. */
    agent: AgentRef.optional(),
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

/** The process that has a thread open. */
const ThreadHolder = z.object({ name: z.string(), pid: z.number().int() });
export type ThreadHolder = z.infer<typeof ThreadHolder>;

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
  /** Another process has the thread open: nothing can be sent here until it is closed there. */
  z.object({ type: z.literal('holder'), ...at, holder: ThreadHolder.nullable() }),
  /** What runs outside a turn, or is being ended; commands of a running turn are live items and not repeated here. */
  z.object({ type: z.literal('running'), ...at, running: z.array(RunningCommand).readonly() }),
  /** The running command of the shared terminal has printed up to here; told at most every 250 ms. What it printed is read by HTTP. */
  z.object({ type: z.literal('block_output'), ...at, block_id: BlockId, output_bytes: z.number().int() }),
  /** checkpoints: one was stored or finished · files: the watched work tree changed. What changed is read by HTTP. */
  z.object({ type: z.literal('changes'), ...at, of: z.enum(['checkpoints', 'files']) }),
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
export const ServerEvent = z.union([
  z.object({
    type: z.literal('server_status'),
    codex: CodexStatus,
    /** What this Codex process warned of that belongs to no conversation, in its words; the newest last. */
    codex_warnings: z.array(z.string()).readonly(),
    storage: z.enum(['ok', 'full', 'failed']),
  }),
  /** Somebody signed in or out, here or elsewhere: the account is to be read again. */
  z.object({ type: z.literal('account') }),
  /** Somebody changed how the page looks, its keys or its notices. */
  z.object({ type: z.literal('page'), page: PageSettings }),
  /** A new browser waits to be let in, or does not any more: the list is to be read again. */
  z.object({ type: z.literal('logins') }),
  /** Something was written on the board, or taken off it. */
  /** A schedule was made, changed or removed, or ran. */
  z.object({ type: z.literal('schedules') }),
  z.object({ type: z.literal('board_news') }),
  z.object({ type: z.literal('conversation'), conversation: ConversationRow }),
  z.object({ type: z.literal('conversation'), deleted: ConversationId }),
  /** App-server style. In a flood one tells of several events: `events` are the newest, `count` is all of them. */
  z.object({
    type: z.literal('notification'),
    method: z.enum(['externalEvent/received', 'externalEvent/changed']),
    params: z.object({
      thread_id: z.string(),
      conversation_id: ConversationId,
      events: z.array(EventItem).readonly(),
      count: z.number().int(),
      unread: z.number().int(),
    }),
  }),
  z.object({ type: z.literal('rpc_response'), id: z.union([z.string(), z.number()]), result: z.unknown() }),
  z.object({
    type: z.literal('rpc_error'),
    id: z.union([z.string(), z.number()]),
    code: z.string(),
    message: z.string(),
    /** What to do next, such as the id of a second confirmation. */
    details: z.record(z.string(), z.unknown()).optional(),
  }),
]);
export type ServerEvent = z.infer<typeof ServerEvent>;

const SyncStatus = z.object({ activity: Activity, usage: TokenCounts.nullable(), row: ConversationRow });
export type SyncStatus = z.infer<typeof SyncStatus>;

export const SyncFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('sync'),
    conversation_id: ConversationId,
    /** replay: `entries` follow what the client has. reset: forget everything, `entries` is the newest page. */
    verdict: z.enum(['replay', 'reset']),
    seq: z.number().int(),
    entries: z.array(Entry).readonly(),
    /** With a reset: whether there is anything older than `entries`. */
    has_more: z.boolean().optional(),
    live: z.array(LiveItem).readonly(),
    approvals: z.array(PendingApproval).readonly(),
    running: z.array(RunningCommand).readonly().optional(),
    holder: ThreadHolder.nullable().optional(),
    status: SyncStatus,
  }),
  z.object({ type: z.literal('synchronized'), conversation_id: ConversationId, seq: z.number().int() }),
  /** The answer to a ping: the link works in both directions. */
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('unsubscribed'), conversation_id: ConversationId }),
  z.object({
    type: z.literal('refused'),
    code: z.string(),
    message: z.string(),
    conversation_id: z.string().optional(),
  }),
]);
export type SyncFrame = z.infer<typeof SyncFrame>;

export type UiEvent = DurableEvent | LiveEvent;
/** Whatever the server sends on the socket. Tests check every frame by it; the page trusts its server and carries no schemas. */
export const ServerFrame = z.union([LiveEvent, DurableEvent, ServerEvent, SyncFrame]);
export type ServerFrame = z.infer<typeof ServerFrame>;

/** What a client may say on the socket. */
export const ClientFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('subscribe'), conversation_id: ConversationId, after: z.number().int().optional() }),
  z.object({ type: z.literal('unsubscribe'), conversation_id: ConversationId }),
  z.object({
    type: z.literal('rpc'),
    id: z.union([z.string().max(100), z.number()]),
    ...rpcFields,
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
/** The proof the socket was opened with has ended: the page comes back with a new one. */
export const CLOSE_PROOF_ENDED = 4002;
/** A gap longer than this is told as a reset: loading the newest page is cheaper than replaying it. */
export const MAX_REPLAY_ENTRIES = 1_000;
export const PAGE_ENTRIES = 50;
