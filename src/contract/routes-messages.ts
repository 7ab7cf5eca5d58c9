/** Routes about what is said in a conversation: messages, queue, transcript, approvals. */
import { z } from 'zod';
import { Confirm } from './access.ts';
import { ApprovalAnswer, PendingApproval } from './approval.ts';
import { ImageInput, MAX_MESSAGE_CHARS, QueuedMessage } from './conversation.ts';
import { DeliveryState, Entry, MessageMode } from './entry.ts';
import { ApprovalId, ClientMessageId, ConversationId } from './ids.ts';
import { base, booleanQuery, conversationParam, integerQuery, Ok, type RouteDef } from './route.ts';
import { RunningCommand } from './running.ts';

/** Room for a message of the largest size, JSON-escaped, and for a few images. */
const MESSAGE_BODY_BYTES = 20 * 1024 * 1024;
const byConversation = z.object({ conversation_id: ConversationId });

/** An entry under two sets of names: `timestamp` is `ts`, `content` is `text`. */
const NamedEntry = Entry.and(z.object({ timestamp: z.string().optional(), content: z.string().optional() }));

const aliases = booleanQuery.default(true);

const EntriesPage = z.object({
  entries: z.array(NamedEntry),
  first_seq: z.number().int().nullable(),
  last_seq: z.number().int().nullable(),
  /** More before `first_seq`, here or in what Codex kept. */
  has_more: z.boolean(),
});

const QueueState = z.object({ queue: z.array(QueuedMessage), paused: z.boolean() });

const MessageInput = z.object({
  conversation_id: ConversationId,
  text: z.string().max(MAX_MESSAGE_CHARS),
  mode: MessageMode.default('send'),
  client_message_id: ClientMessageId.optional(),
  images: z.array(ImageInput).max(20).optional(),
  /** The message that was not delivered and that this one repeats; it gets a `client_message_id` of its own. */
  retry_of: ClientMessageId.optional(),
  /** The settings revision the sender saw; an older one is refused as stale. */
  revision: z.number().int().optional(),
});

/** What became of a message. `send` to a busy conversation is queued, and says so. */
const MessageOutcome = z.object({
  outcome: z.enum(['started', 'steered', 'queued', 'duplicate']),
  client_message_id: ClientMessageId,
  turn_id: z.string().nullable(),
  /** Of a duplicate: what became of the first message with this id, where that is known. */
  state: DeliveryState.optional(),
});

export const MESSAGE_ROUTES = {
  sendMessage: {
    method: 'POST',
    path: `${base}/messages`,
    scope: 'operate',
    summary: 'The one door for user messages',
    body: MessageInput,
    output: MessageOutcome,
    errors: [
      'unknown_conversation',
      'stale',
      'missing_cwd',
      'no_active_turn',
      'thread_unreadable',
      'too_large',
      'codex_error',
      'codex_timeout',
      'codex_unavailable',
      'storage_full',
    ],
    maxBodyBytes: MESSAGE_BODY_BYTES,
  },
  interrupt: {
    method: 'POST',
    path: `${base}/interrupt`,
    scope: 'operate',
    summary: 'Stops the running turn and ends its commands; answered when they have ended',
    body: byConversation,
    output: z.object({
      interrupted: z.boolean(),
      /** Commands of the turn of which a process still runs. */
      left: z.array(RunningCommand),
    }),
    errors: ['unknown_conversation', 'conflict', 'codex_error', 'codex_timeout'],
  },
  compact: {
    method: 'POST',
    path: `${base}/compact`,
    scope: 'operate',
    summary: 'Asks Codex to summarise the history and free the context',
    body: byConversation,
    output: Ok,
    errors: ['unknown_conversation', 'conflict', 'thread_unreadable', 'codex_error', 'codex_timeout'],
  },
  shellExec: {
    method: 'POST',
    path: `${base}/shell/exec`,
    scope: 'run',
    summary: "Runs the user's own command in the conversation's shared terminal",
    body: z.object({
      /** The one the caller selected, if it is absent. */
      conversation_id: ConversationId.optional(),
      command: z.string().min(1).max(65_536),
    }),
    output: z.object({
      stdout: z.string(),
      stderr: z.string(),
      exitCode: z.number().nullable(),
      block_id: z.string().nullable(),
    }),
    errors: [
      'unknown_conversation',
      'missing_cwd',
      'not_running',
      'conflict',
      'codex_error',
      'codex_timeout',
      'codex_unavailable',
    ],
  },
  readQueue: {
    method: 'GET',
    path: `${base}/conversations/{id}/queue`,
    scope: 'read',
    agents: 'own',
    summary: 'Messages that wait for the running turn to end',
    params: conversationParam,
    output: QueueState,
    errors: ['unknown_conversation'],
  },
  writeQueue: {
    method: 'PUT',
    path: `${base}/conversations/{id}/queue`,
    scope: 'operate',
    summary:
      'Reorders, edits or drops queued messages: the list is what the queue becomes; only ids already queued are allowed',
    params: conversationParam,
    body: z.object({
      queue: z
        .array(z.object({ client_message_id: ClientMessageId, text: z.string().max(MAX_MESSAGE_CHARS).optional() }))
        .max(100),
    }),
    output: QueueState,
    errors: ['unknown_conversation', 'conflict', 'storage_full'],
    maxBodyBytes: MESSAGE_BODY_BYTES,
  },
  resumeQueue: {
    method: 'POST',
    path: `${base}/conversations/{id}/queue/resume`,
    scope: 'operate',
    summary: 'Lets a queue that an interrupt paused go on',
    params: conversationParam,
    output: QueueState,
    errors: ['unknown_conversation'],
  },
  sendQueued: {
    method: 'POST',
    path: `${base}/conversations/{id}/queue/send`,
    scope: 'operate',
    summary: 'Takes a message off the queue and gives it at once: into the running turn, or as a turn where none runs',
    params: conversationParam,
    body: z.object({ client_message_id: ClientMessageId }),
    output: MessageOutcome,
    errors: [
      'unknown_conversation',
      'conflict',
      'not_steerable',
      'missing_cwd',
      'thread_unreadable',
      'codex_error',
      'codex_timeout',
      'codex_unavailable',
      'storage_full',
    ],
  },
  transcript: {
    method: 'GET',
    path: `${base}/transcript`,
    scope: 'read',
    agents: 'own',
    summary: 'The newest page',
    query: z.object({
      conversation_id: ConversationId.optional(),
      limit: integerQuery.min(1).max(1000).default(50),
      /** Entries carry `timestamp` and `content` too. */
      aliases,
    }),
    output: EntriesPage,
    errors: ['unknown_conversation'],
  },
  transcriptRange: {
    method: 'GET',
    path: `${base}/transcript/range`,
    scope: 'read',
    agents: 'own',
    summary: 'A page before or after a seq',
    query: z.object({
      conversation_id: ConversationId.optional(),
      before: integerQuery.optional(),
      after: integerQuery.optional(),
      limit: integerQuery.min(1).max(1000).default(50),
      aliases,
    }),
    output: EntriesPage,
    errors: ['unknown_conversation'],
  },
  appendNote: {
    method: 'POST',
    path: `${base}/transcript/append`,
    scope: 'operate',
    summary: 'Adds a note, marked as coming from the API; no other role can be written',
    body: z.object({
      conversation_id: ConversationId,
      role: z.literal('note').default('note'),
      text: z.string().min(1).max(65_536).optional(),
      /** Another name of `text`. */
      content: z.string().min(1).max(65_536).optional(),
    }),
    output: z.object({ seq: z.number().int() }),
    errors: ['unknown_conversation', 'storage_full'],
  },
  approvalRecord: {
    method: 'POST',
    path: `${base}/approval_record`,
    scope: 'read',
    summary: 'What was recorded of an approval; records nothing itself',
    body: z.object({ approval_id: ApprovalId, conversation_id: ConversationId }),
    output: z.object({ entry: Entry.nullable() }),
    errors: ['unknown_conversation'],
  },
  listApprovals: {
    method: 'GET',
    path: `${base}/approvals`,
    scope: 'read',
    summary: 'Requests of Codex that wait for an answer',
    query: z.object({ conversation_id: ConversationId.optional() }),
    output: z.object({ approvals: z.array(PendingApproval) }),
    errors: [],
  },
  answerApproval: {
    method: 'POST',
    path: `${base}/approvals/{approval_id}`,
    scope: 'owner',
    summary: 'Answers one; the first answer wins',
    params: z.object({ approval_id: ApprovalId }),
    body: ApprovalAnswer.extend({ confirm: Confirm.optional() }),
    output: z.object({ approval_id: ApprovalId, status: z.enum(['accepted', 'declined', 'cancelled']) }),
    errors: ['unknown_approval', 'already_answered', 'stale', 'codex_unavailable', 'confirmation_required'],
  },
} as const satisfies Record<string, RouteDef>;
