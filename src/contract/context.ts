/** What a message to Codex carries besides the person's words: fragments, the buffer of terminal commands, and what is kept of both. */
import { z } from 'zod';
import { ClientMessageId, ConversationId } from './ids.ts';

/** Each has a switch of its own in the conversation's settings. */
export const FRAGMENT_NAMES = ['policy', 'terminal', 'peers', 'commands', 'events'] as const;
export const FragmentName = z.enum(FRAGMENT_NAMES);
export type FragmentName = z.infer<typeof FragmentName>;

/** Model-visible text that is not the person's. */
export const Fragment = z.object({
  name: FragmentName,
  /** The stable marker: Codex writes `<external_KEY>…` round an untrusted value, `<KEY>…` round one of ours. */
  key: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'expected a short name of a-z 0-9 _'),
  /** untrusted: data from outside, in a user message · application: our own guidance, in a developer message. */
  kind: z.enum(['untrusted', 'application']),
  /** Unique per delivery: Codex does not send an unchanged value again. */
  value: z.string(),
  /** What it tells of (block ids, event ids), so that its source knows what has been carried. */
  ids: z.array(z.string()),
  /** Bytes cut out of the value for want of room. */
  cut_bytes: z.number().int().optional(),
});
export type Fragment = z.infer<typeof Fragment>;

/** Of what can be counted: commands and events. */
export const ContextCounts = z.partialRecord(FragmentName, z.number().int());

/** What the mark below a message says: which fragments went along, and how many things they tell of. */
export interface ContextMark {
  readonly names: readonly FragmentName[];
  readonly counts: z.infer<typeof ContextCounts>;
}

export const ContextSettings = z.object({
  policy: z.boolean(),
  terminal: z.boolean(),
  peers: z.boolean(),
  commands: z.boolean(),
  events: z.boolean(),
});
export type ContextSettings = z.infer<typeof ContextSettings>;

export const ALL_CONTEXT: ContextSettings = { policy: true, terminal: true, peers: true, commands: true, events: true };

/** One command in the envelope. `status` only when it did not end by itself; `type` then says that the person ended it, or its shell. */
export const CommandEntry = z.object({
  type: z.literal('user_kill').optional(),
  cmd: z.string(),
  exit_code: z.number().int().nullable(),
  cwd: z.string(),
  block_id: z.string(),
  /** Unix milliseconds. */
  ts: z.number(),
  /** How long it ran; absent where nobody saw its beginning and its end. */
  duration_ms: z.number().int().min(0).optional(),
  preview: z.object({ lines: z.array(z.string()), truncated: z.boolean() }),
  status: z.enum(['interrupted', 'killed', 'lost', 'running']).optional(),
  /** A person asks about this command: the next message goes with it, whatever the switch of the commands says. */
  asked_about: z.literal(true).optional(),
  /** It ran in a terminal of the person alone: no tool reads more of it. */
  private_terminal: z.literal(true).optional(),
});
export type CommandEntry = z.infer<typeof CommandEntry>;

/** `pending_cmd_buffer` of `conversation_meta.json`: what the next message carries. */
export const CommandBuffer = z.object({
  v: z.literal(1),
  conversation_id: ConversationId,
  shell_id: z.string().nullable(),
  commands: z.array(CommandEntry),
  /** Since the last message, those that fell out of `commands` included. */
  total_commands_run: z.number().int(),
});
export type CommandBuffer = z.infer<typeof CommandBuffer>;

/** The payload of the command fragment. */
export const CommandContext = z.object({
  v: z.literal(1),
  type: z.literal('user_cmd_context'),
  /** That this is data; missing in what older versions stored. */
  note: z.string().optional(),
  conversation_id: ConversationId,
  shell_id: z.string().nullable(),
  total_commands_run: z.number().int(),
  kept: z.number().int(),
  dropped: z.number().int(),
  commands: z.array(CommandEntry),
  /** Tools that tell more. */
  mcp: z.array(z.string()),
});
export type CommandContext = z.infer<typeof CommandContext>;

export const TerminalValues = z.object({
  cwd: z.string().nullable(),
  shell: z.string().nullable(),
  last_exit_code: z.number().int().nullable(),
  git_branch: z.string().nullable(),
});
export type TerminalValues = z.infer<typeof TerminalValues>;

/** What the model will have been told once the message in flight is accepted. */
export const InFlight = z.object({
  client_message_id: ClientMessageId,
  names: z.array(FragmentName),
  counts: ContextCounts.default({}),
  block_ids: z.array(z.string()),
  commands_run: z.number().int(),
  terminal: TerminalValues.nullable(),
  peers: z.array(z.string()).nullable(),
});
export type InFlight = z.infer<typeof InFlight>;

/** What must outlive a crash: messages on their way to Codex, and what turn-backed fragments told last. */
export const ContextMemory = z.object({
  /** In the order they were given. Older files have one message, or null. */
  in_flight: z.preprocess((value) => (Array.isArray(value) ? value : value == null ? [] : [value]), z.array(InFlight)),
  terminal: TerminalValues.nullable(),
  peers: z.array(z.string()).nullable(),
  /** The newest blocks that were carried: one that is told again, after a crash, is not carried again. */
  carried_blocks: z.array(z.string()).default([]),
});
export type ContextMemory = z.infer<typeof ContextMemory>;

export const NO_CONTEXT_MEMORY: ContextMemory = { in_flight: [], terminal: null, peers: null, carried_blocks: [] };

/** `context/<client_message_id>.json`: exactly what went with one message. */
export const ContextRecord = z.object({
  client_message_id: ClientMessageId,
  at: z.iso.datetime(),
  /** `sentinel`: in front of the person's text, for a Codex that takes no `additionalContext`. */
  carrier: z.enum(['additional_context', 'sentinel']),
  fragments: z.array(Fragment),
  left_out: z.array(z.object({ key: z.string(), bytes: z.number().int() })),
});
export type ContextRecord = z.infer<typeof ContextRecord>;
