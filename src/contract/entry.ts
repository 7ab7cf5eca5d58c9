/** A transcript entry: exactly one line of `transcript.jsonl`, and exactly what a durable event carries. */
import { z } from 'zod';
import { ContextCounts, FragmentName } from './context.ts';
import { EventItem, EventStanding } from './external-event.ts';
import { ConversationId } from './ids.ts';
import { BlockId } from './terminal.ts';

/** Every role a transcript may hold. A reader skips and counts a role it does not know. */
export const ROLES = [
  'user',
  'delivery',
  'assistant',
  'reasoning',
  'plan',
  'command',
  'diff',
  'approval',
  'shell_input',
  'shell_output',
  'tool',
  'status',
  'token_usage',
  'error',
  'warning',
  'external_event',
  'board',
  'note',
] as const;
export type Role = (typeof ROLES)[number];

const origin = {
  /** The turn and item of Codex this came from; absent for entries of our own making. */
  turn_id: z.string().optional(),
  item_id: z.string().optional(),
  /** The Codex method that settled the entry, e.g. `item/completed`. */
  event: z.string().optional(),
};

/** How a thing that streams came to its end. `interrupted`: it never ended by itself (steer, stop, cut stream, dead process). */
const ItemEnd = z.enum(['completed', 'failed', 'declined', 'interrupted']);

const Image = z.object({ kind: z.enum(['url', 'path']), value: z.string() });

/** How a message was submitted. */
export const MessageMode = z.enum(['send', 'steer', 'queue']);
export type MessageMode = z.infer<typeof MessageMode>;

/**
 * `sent`: stored here and on its way to Codex. `delivered`: Codex has it. `not_delivered`: Codex does not have it and will not get it
 * unless somebody sends it again.
 */
export const DeliveryState = z.enum(['sent', 'delivered', 'not_delivered']);
export type DeliveryState = z.infer<typeof DeliveryState>;

/**
 * What a person said. Stored before Codex gets it, so it has no turn yet: the `delivery` entry of the same `client_message_id` names
 * the turn. A message that another client of Codex sent is stored when Codex reports it, with its turn and without a `state`.
 */
const User = z.object({
  role: z.literal('user'),
  text: z.string(),
  images: z.array(Image).optional(),
  client_message_id: z.string().optional(),
  mode: MessageMode.optional(),
  /** The state at the time of this entry; later `delivery` entries change it. */
  state: DeliveryState.optional(),
  /** The message that was not delivered and that this one repeats. */
  retry_of: z.string().optional(),
  /** The other program of Codex in which it was said; absent for what was said here. */
  from: z.string().optional(),
  /** Names of what went along; the texts are asked for by `client_message_id`. */
  context: z.array(FragmentName).optional(),
  context_counts: ContextCounts.optional(),
  ...origin,
});

/** What became of an earlier `user` entry, known by its `client_message_id`; the newest one counts. */
const Delivery = z.object({
  role: z.literal('delivery'),
  client_message_id: z.string(),
  state: DeliveryState,
  /** Why it was not delivered, or is sent again: a code that does not change, and a sentence for people. */
  reason: z.string().optional(),
  text: z.string().optional(),
  ...origin,
});

const Assistant = z.object({
  role: z.literal('assistant'),
  text: z.string(),
  status: ItemEnd,
  phase: z.string().optional(),
  /** Questions the model asked without waiting; the answer is the next message. */
  questions: z.array(z.object({ title: z.string(), options: z.array(z.string()) })).optional(),
  ...origin,
});

const Reasoning = z.object({ role: z.literal('reasoning'), text: z.string(), status: ItemEnd, ...origin });

export const PlanStep = z.object({ step: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) });

const Plan = z.object({
  role: z.literal('plan'),
  steps: z.array(PlanStep),
  /** Why the plan changed, or the text of a plan proposed in plan mode. */
  text: z.string().optional(),
  ...origin,
});

export const CommandAction = z.object({
  type: z.string(),
  command: z.string().optional(),
  name: z.string().optional(),
  path: z.string().optional(),
  query: z.string().optional(),
});

const Command = z.object({
  role: z.literal('command'),
  /** What the person would have typed; the shell wrapper is in `argv`. */
  command: z.string(),
  argv: z.string().optional(),
  cwd: z.string(),
  output: z.string(),
  /** Characters cut out of the middle of `output`, if any, and the lines of the whole. */
  output_omitted: z.number().optional(),
  output_lines: z.number().optional(),
  exit_code: z.number().nullable(),
  duration_ms: z.number().nullable(),
  status: ItemEnd,
  actions: z.array(CommandAction),
  process_id: z.string().optional(),
  /** Somebody here ended the command: the last signal its processes were sent. */
  stopped_by: z.enum(['SIGTERM', 'SIGKILL']).optional(),
  ...origin,
});

const DiffFile = z.object({
  path: z.string(),
  kind: z.enum(['add', 'update', 'delete', 'move']),
  moved_to: z.string().optional(),
});

const Diff = z.object({
  role: z.literal('diff'),
  /** thread:turn:hash of the content. */
  diff_id: z.string(),
  diff: z.string(),
  path: z.string().optional(),
  files: z.array(DiffFile),
  /** `applied`: on disk. The others: what a change that was refused or did not fit would have done. */
  status: z.enum(['applied', 'declined', 'failed', 'interrupted']),
  ...origin,
});

/** A question of Codex with what a person answered. */
const AnsweredQuestion = z.object({
  header: z.string(),
  question: z.string(),
  /** Empty where nobody here answered, and for a secret. */
  answers: z.array(z.string()),
  /** The answer is a secret: Codex got it, and nothing here keeps it. */
  is_secret: z.literal(true).optional(),
});
export type AnsweredQuestion = z.infer<typeof AnsweredQuestion>;

const Approval = z.object({
  role: z.literal('approval'),
  approval_id: z.string(),
  kind: z.string(),
  status: z.enum(['accepted', 'declined', 'cancelled', 'expired']),
  /** The word that was answered, when somebody answered here. */
  decision: z.string().optional(),
  title: z.string(),
  command: z.string().optional(),
  cwd: z.string().optional(),
  reason: z.string().optional(),
  path: z.string().optional(),
  diff: z.string().optional(),
  /** Of the kind `questions`: all that were asked, in order. Absent in older entries. */
  questions: z.array(AnsweredQuestion).optional(),
  ...origin,
});

const ofBlock = {
  /** The block of the shared terminal it ran in; absent for a command that Codex ran for the person. */
  block_id: BlockId.optional(),
  /** Who typed it. */
  actor: z.enum(['user', 'agent']).optional(),
};

const ShellInput = z.object({
  role: z.literal('shell_input'),
  command: z.string(),
  cwd: z.string().optional(),
  ...ofBlock,
  ...origin,
});

const ShellOutput = z.object({
  role: z.literal('shell_output'),
  command: z.string(),
  stdout: z.string(),
  stderr: z.string(),
  output_omitted: z.number().optional(),
  output_lines: z.number().optional(),
  exit_code: z.number().nullable(),
  duration_ms: z.number().nullable(),
  ...ofBlock,
  ...origin,
});

export const ToolKind = z.enum([
  'mcp',
  'dynamic',
  'web_search',
  'image_view',
  'image_generation',
  'sub_agent',
  'sleep',
  'function_output',
  'hook',
  'unknown',
]);

/** One thing a sub-agent did, as far as its card shows it. */
export const AgentStep = z.object({
  item_id: z.string(),
  kind: z.enum(['command', 'change', 'tool']),
  /** The command, the changed paths or the name of the tool, cut to one line. */
  text: z.string(),
  state: z.enum(['running', ...ItemEnd.options]),
  exit_code: z.number().nullable().optional(),
});
export type AgentStep = z.infer<typeof AgentStep>;

/** The sub-agent an item is about. */
export const AgentRef = z.object({
  thread_id: z.string(),
  /** Codex's name of it, from the conversation down: `/root/outer/inner`. Empty where Codex gives none. */
  path: z.string(),
  /** `turn`: one of its turns, which runs or has ended; the entry has its result. The others are told by the agent that started or uses it. */
  activity: z.enum(['started', 'messaged', 'stopped', 'completed', 'turn']),
  /** The sub-agent that told it, where that is not the conversation's own thread. */
  by: z.string().optional(),
  /** What it did in the turn: the newest, of `step_count`. */
  steps: z.array(AgentStep).optional(),
  step_count: z.number().int().optional(),
});
export type AgentRef = z.infer<typeof AgentRef>;

const Tool = z.object({
  role: z.literal('tool'),
  kind: ToolKind,
  name: z.string(),
  server: z.string().optional(),
  /** Shown as text; JSON for structured arguments. */
  input: z.string().optional(),
  output: z.string().optional(),
  output_omitted: z.number().optional(),
  error: z.string().optional(),
  status: ItemEnd,
  duration_ms: z.number().nullable(),
  agent: AgentRef.optional(),
  ...origin,
});

/** One per turn, when it ends. */
const Status = z.object({
  role: z.literal('status'),
  status: z.enum(['success', 'error', 'warning']),
  turn_status: z.enum(['completed', 'failed', 'interrupted']),
  duration_ms: z.number().nullable(),
  ...origin,
});

export const TokenCounts = z.object({
  /** Of the last request to the model: what the context window holds now. */
  total_tokens: z.number(),
  input_tokens: z.number(),
  cached_input_tokens: z.number(),
  output_tokens: z.number(),
  reasoning_output_tokens: z.number(),
  /** All requests of the conversation so far. */
  cumulative_tokens: z.number(),
  context_window: z.number().nullable(),
});

const TokenUsage = z.object({ role: z.literal('token_usage'), ...TokenCounts.shape, ...origin });

const ErrorEntry = z.object({ role: z.literal('error'), text: z.string(), code: z.string().optional(), ...origin });
const Warning = z.object({ role: z.literal('warning'), text: z.string(), code: z.string().optional(), ...origin });

/** A post on the board that concerns this conversation. Data from outside, whoever wrote it. */
const Board = z.object({
  role: z.literal('board'),
  num: z.number().int(),
  who: z.string(),
  kind: z.string(),
  /** The conversation that wrote it. */
  from_conversation_id: z.string().nullable(),
  text: z.string(),
  topic: z.string().nullable(),
  reply_to: z.number().int().nullable(),
  /** Whether the model is told. False: a rule says so, or the conversation waited for it anyway. */
  told: z.boolean(),
  /** The event it is for the model, and where that stood at first; later `external_event` entries of kind `state` say more of it. */
  receipt: z.object({ event_seq: z.number().int(), thread_id: z.string(), ...EventStanding.shape }).optional(),
  ...origin,
});

const Note = z.object({
  role: z.literal('note'),
  kind: z.enum(['api', 'compaction', 'review_started', 'review_finished', 'reverted', 'forked', 'recovered']),
  text: z.string(),
  /** Of `reverted`: the conversation that still has the forgotten turns. */
  kept_in: ConversationId.optional(),
  ...origin,
});

/**
 * Events from outside. `received`: they have arrived (in a flood several at once). `state`: what became of earlier ones. `moved`: earlier
 * ones are in the ledger of another thread now, which took the place of the conversation's draft or of a lost thread.
 */
const ExternalEventEntry = z.object({
  role: z.literal('external_event'),
  kind: z.enum(['received', 'state', 'moved']),
  thread_id: z.string(),
  /** Those that arrived; empty when earlier ones changed. */
  events: z.array(EventItem),
  /** The places in the ledger this is about: of `events`, and of more that arrived with them. */
  event_seqs: z.array(z.number().int()),
  /** Of `moved`: where they were before, in the same order. */
  moved_from: z.object({ thread_id: z.string(), event_seqs: z.array(z.number().int()) }).optional(),
  state: EventStanding.shape.state,
  mode: EventStanding.shape.mode,
  reason: z.string().optional(),
  ...origin,
});

/** An entry before the log has given it a number and a time. */
export const NewEntry = z.discriminatedUnion('role', [
  User,
  Delivery,
  Assistant,
  Reasoning,
  Plan,
  Command,
  Diff,
  Approval,
  ShellInput,
  ShellOutput,
  Tool,
  Status,
  TokenUsage,
  ErrorEntry,
  Warning,
  Board,
  Note,
  ExternalEventEntry,
]);
export type NewEntry = z.infer<typeof NewEntry>;

/** `seq` is dense per conversation from 1; pages of history from before Signalbox count down from 0. */
const Stamp = z.object({ seq: z.number().int(), ts: z.iso.datetime() });

export const Entry = z.intersection(Stamp, NewEntry);
export type Entry = z.infer<typeof Stamp> & NewEntry;

export type EntryOf<R extends NewEntry['role']> = Extract<NewEntry, { role: R }>;
export type PlanStep = z.infer<typeof PlanStep>;
export type TokenCounts = z.infer<typeof TokenCounts>;
export type ItemEnd = z.infer<typeof ItemEnd>;
