/** The conversation's sidecar file, its settings, and the row that lists show. */
import { z } from 'zod';
import { ALL_CONTEXT, CommandBuffer, ContextMemory, ContextSettings, NO_CONTEXT_MEMORY } from './context.ts';
import { ClientMessageId, ConversationId } from './ids.ts';
import { Attempt } from './worktrees.ts';

/** Codex's own words. */
export const APPROVAL_MODES = ['untrusted', 'on-request', 'never'] as const;
export const SANDBOXES = ['read-only', 'workspace-write', 'danger-full-access'] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];
export type Sandbox = (typeof SANDBOXES)[number];

/** Words older clients use for the same modes. */
const APPROVAL_ALIASES: Readonly<Record<string, ApprovalMode>> = { always: 'untrusted', unlessTrusted: 'on-request' };

export const ApprovalModeInput = z.preprocess(
  (value) => (typeof value === 'string' ? (APPROVAL_ALIASES[value] ?? value) : value),
  z.enum(APPROVAL_MODES),
);

/** User text the model accepts in one message; Codex refuses more. */
export const MAX_MESSAGE_CHARS = 1_048_576;

export const ImageInput = z.object({ kind: z.enum(['url', 'path']), value: z.string().max(12 * 1024 * 1024) });
export type ImageInput = z.infer<typeof ImageInput>;

export const QueuedMessage = z.object({
  client_message_id: ClientMessageId,
  text: z.string(),
  images: z.array(ImageInput),
  queued_at: z.string(),
  /** The message that was not delivered and that this one repeats. */
  retry_of: ClientMessageId.optional(),
});
export type QueuedMessage = z.infer<typeof QueuedMessage>;

/** What a person may set. Anything absent is left as it is. */
const settings = {
  label: z.string().trim().max(200).nullable(),
  model: z.string().trim().min(1).max(200).nullable(),
  reasoning_effort: z.string().trim().min(1).max(40).nullable(),
  approval: ApprovalModeInput,
  sandbox: z.enum(SANDBOXES),
  cwd: z.string().min(1).max(4096),
  markdown: z.boolean(),
  command_output_lines: z.number().int().min(1).max(10_000),
  pinned: z.boolean(),
  draft: z.string().max(MAX_MESSAGE_CHARS),
  /** `plan`: the model proposes and may ask questions before it acts. */
  mode: z.enum(['default', 'plan']),
};

export const SettingsPatch = z.object({ ...settings, context: ContextSettings.partial() }).partial();
export type SettingsPatch = z.infer<typeof SettingsPatch>;

/** `conversation_meta.json`: the single source of truth for a conversation's settings. */
export const ConversationMeta = z.object({
  conversation_id: ConversationId,
  /** Null while the conversation is a draft. Another one takes its place only when Codex lost it before its first turn. */
  thread_id: z.string().nullable(),
  /** Those that were lost, the last one last: what waited there for the model is still to be told. */
  lost_threads: z.array(z.string()).default([]),
  ...settings,
  rollout_path: z.string().nullable(),
  /** First words of the first message. */
  preview: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  archived: z.boolean(),
  /** Grows with each change; a client that sends an older one is refused. */
  revision: z.number().int(),
  queue: z.array(QueuedMessage),
  /** After an interrupt the queue waits until somebody says go. */
  queue_paused: z.boolean(),
  /** Highest seq a person has seen. */
  read_seq: z.number().int(),
  /** Answers of the agent that nobody has seen. */
  unread: z.number().int().default(0),
  /** When something was last said, by a person or the agent; reading, pinning and renaming do not count. Absent in older files. */
  active_at: z.string().optional(),
  /** The conversation this one shares its beginning with. */
  forked_from: ConversationId.nullable().default(null),
  /** Which attempt at a task it is; null: none of several. */
  attempt: Attempt.nullable().default(null),
  /** What Codex last said it runs this thread with; absent until it has. */
  applied_model: z.string().optional(),
  applied_effort: z.string().optional(),
  /** History Codex kept from before this conversation was opened here: fetched a page at a time, newest first. */
  history: z.object({ cursor: z.string().nullable(), complete: z.boolean() }).nullable(),
  /** Which fragments go along with messages. Absent in files from before there were any, like the two below. */
  context: ContextSettings.default(ALL_CONTEXT),
  /** Terminal commands that wait for the next message. */
  pending_cmd_buffer: CommandBuffer.nullable().default(null),
  context_memory: ContextMemory.default(NO_CONTEXT_MEMORY),
  /** Settings that a person set back to null while Codex had a thread: each turn names Codex's default for them, since Codex keeps the last value. */
  reset_settings: z.array(z.enum(['model', 'reasoning_effort'])).default([]),
  /** The thread that Codex could not read any more, until a turn has ended in the one that took its place. */
  recovering: z.string().nullable().default(null),
  /** Where `cwd` led when it was chosen, without symbolic links. Null in older files until the next turn, and while `cwd` does not exist. */
  real_cwd: z.string().nullable().default(null),
});
export type ConversationMeta = z.infer<typeof ConversationMeta>;

/** draft: no thread yet · idle · running · waiting: for a person's answer · failed: the last turn did. */
const CONVERSATION_STATES = ['draft', 'idle', 'running', 'waiting', 'failed'] as const;

/** A conversation in the trash. */
export const DeletedRow = z.object({
  id: ConversationId,
  label: z.string().nullable(),
  preview: z.string(),
  cwd: z.string(),
  deleted_at: z.string(),
});
export type DeletedRow = z.infer<typeof DeletedRow>;

export const ConversationRow = z.object({
  id: ConversationId,
  thread_id: z.string().nullable(),
  label: z.string().nullable(),
  /** First words of the first message. */
  preview: z.string(),
  cwd: z.string(),
  /** The one that was chosen; null: Codex chooses. */
  model: z.string().nullable(),
  /** Model and effort that Codex uses, once it has said so. */
  applied_model: z.string().optional(),
  applied_effort: z.string().optional(),
  state: z.enum(CONVERSATION_STATES),
  pending_approvals: z.number().int(),
  queued: z.number().int(),
  /** Of the settings; a client that has another should read them again. */
  revision: z.number().int(),
  pinned: z.boolean(),
  archived: z.boolean(),
  last_seq: z.number().int(),
  read_seq: z.number().int(),
  unread: z.number().int(),
  forked_from: ConversationId.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Lists are in this order. */
  active_at: z.string(),
  /** `codex`: found in CODEX_HOME and never opened here. */
  source: z.enum(['signalbox', 'codex']),
});
export type ConversationRow = z.infer<typeof ConversationRow>;

const Effort = z.object({ effort: z.string(), description: z.string() });
export const Model = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  efforts: z.array(Effort),
  default_effort: z.string().nullable(),
  is_default: z.boolean(),
});
export type Model = z.infer<typeof Model>;

/** What new conversations start with. */
export const Preferences = z.object({
  cwd: z.string().nullable(),
  approval: ApprovalModeInput,
  sandbox: z.enum(SANDBOXES),
  model: z.string().nullable(),
  reasoning_effort: z.string().nullable(),
  command_output_lines: z.number().int(),
  /** What may go along with messages. */
  context: ContextSettings,
});
export type Preferences = z.infer<typeof Preferences>;

/** The settings that a project can remember for its new conversations. Plan mode is not one: it belongs to one task. */
export const PROJECT_SETTINGS = ['model', 'reasoning_effort', 'approval', 'sandbox'] as const;
export type ProjectSetting = (typeof PROJECT_SETTINGS)[number];

/** What one project remembers. An absent field is the one of `Preferences`. */
export const ProjectSettings = Preferences.pick({
  model: true,
  reasoning_effort: true,
  approval: true,
  sandbox: true,
}).partial();
export type ProjectSettings = z.infer<typeof ProjectSettings>;

/** `project_settings.json`: by real path of the directory, the project that was written last is the last one. */
export const ProjectSettingsFile = z.object({
  projects: z.array(z.object({ cwd: z.string(), settings: ProjectSettings })),
});
export type ProjectSettingsFile = z.infer<typeof ProjectSettingsFile>;

/** Absent fields stay as they are. */
export const PreferencesPatch = Preferences.extend({ context: ContextSettings.partial() }).partial();
export type PreferencesPatch = z.infer<typeof PreferencesPatch>;
