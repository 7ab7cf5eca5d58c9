/** Routes about conversations as a whole: list, create, change, archive, fork, revert. */
import { z } from 'zod';
import { Confirm } from './access.ts';
import { ConversationMeta, ConversationRow, DeletedRow, PROJECT_SETTINGS, SettingsPatch } from './conversation.ts';
import { ConversationId, ThreadId } from './ids.ts';
import { ReviewTarget } from './review.ts';
import { base, booleanQuery, conversationParam, integerQuery, Ok, type RouteDef } from './route.ts';
import { SubAgentRecord } from './sub-agent.ts';
import { MadeWorktree, NewWorktree } from './worktrees.ts';

const NewConversation = SettingsPatch.extend({ cwd: z.string().min(1).max(4096).optional() });

/** What a person should know about the directory that was chosen. The transcript has the same as `warning` entries. */
const warnings = z.array(z.string()).optional();

export const CONVERSATION_ROUTES = {
  listConversations: {
    method: 'GET',
    path: `${base}/conversations`,
    scope: 'read',
    agents: 'any',
    summary: 'Every conversation here and every thread in CODEX_HOME, newest first',
    query: z.object({
      limit: integerQuery.min(1).max(500).default(100),
      cursor: z.string().max(4096).optional(),
      archived: booleanQuery.optional(),
      q: z.string().max(200).optional(),
    }),
    output: z.object({ conversations: z.array(ConversationRow), next_cursor: z.string().nullable() }),
    errors: [],
  },
  createConversation: {
    method: 'POST',
    path: `${base}/conversations`,
    scope: 'operate',
    summary: 'A new draft; with rollout_path the conversation of the thread that Codex keeps in that file',
    body: NewConversation.extend({
      /** A file of a thread in CODEX_HOME. */
      rollout_path: z.string().min(1).max(4096).optional(),
      /** Which of the settings given here the project remembers for its next conversations. */
      remember: z.array(z.enum(PROJECT_SETTINGS)).optional(),
      /** Begin in a work tree that is made for it; `cwd` says in which repository. Needs the scope `run`. */
      worktree: NewWorktree.optional(),
      confirm: Confirm.optional(),
    }),
    output: z.object({
      id: ConversationId,
      conversation: ConversationMeta,
      warnings,
      /** The work tree that was made, and the ignored files that were copied into it. */
      worktree: MadeWorktree.optional(),
    }),
    errors: [
      'missing_cwd',
      'storage_full',
      'confirmation_required',
      'unknown_thread',
      'conflict',
      'not_found',
      'no_answer',
      'too_large',
      'forbidden',
    ],
  },
  selectConversation: {
    method: 'POST',
    path: `${base}/conversations/select`,
    scope: 'read',
    summary: 'Makes a conversation the current one of this caller alone',
    body: z.object({ id: ConversationId }),
    output: z.object({ conversation: ConversationMeta }),
    errors: ['unknown_conversation'],
  },
  readConversation: {
    method: 'GET',
    path: `${base}/conversations/{id}`,
    scope: 'read',
    agents: 'own',
    summary: 'One conversation; a thread that was never opened here is taken in',
    params: conversationParam,
    output: z.object({ conversation: ConversationMeta, row: ConversationRow }),
    errors: ['unknown_conversation'],
  },
  conversationNetwork: {
    method: 'GET',
    path: `${base}/conversations/{id}/network`,
    scope: 'read',
    agents: 'own',
    summary: 'Whether commands in the sandbox of the conversation reach the network; null while Codex does not say',
    params: conversationParam,
    output: z.object({ network: z.boolean().nullable() }),
    errors: ['unknown_conversation'],
  },
  readSubAgent: {
    method: 'GET',
    path: `${base}/conversations/{id}/sub-agents/{thread_id}`,
    scope: 'read',
    agents: 'own',
    summary: 'What a sub-agent of the conversation was told to do; with entries=true also what it did and said',
    params: conversationParam.extend({ thread_id: ThreadId }),
    query: z.object({ entries: booleanQuery.optional() }),
    output: SubAgentRecord,
    errors: ['unknown_conversation', 'unknown_thread', 'codex_unavailable', 'codex_error', 'codex_timeout'],
  },
  patchConversation: {
    method: 'PATCH',
    path: `${base}/conversations/{id}`,
    scope: 'operate',
    summary: 'Changes settings, label, pin or draft',
    params: conversationParam,
    body: SettingsPatch.extend({ revision: z.number().int().optional(), confirm: Confirm.optional() }),
    output: z.object({ conversation: ConversationMeta, warnings }),
    errors: ['unknown_conversation', 'stale', 'missing_cwd', 'storage_full', 'confirmation_required'],
  },
  currentConversation: {
    method: 'GET',
    path: `${base}/conversation`,
    scope: 'read',
    agents: 'own',
    summary: "The caller's current conversation",
    query: z.object({ conversation_id: ConversationId.optional() }),
    output: z.object({ conversation: ConversationMeta, row: ConversationRow }),
    errors: ['unknown_conversation'],
  },
  patchCurrentConversation: {
    method: 'POST',
    path: `${base}/conversation`,
    scope: 'operate',
    summary: "Changes the caller's current conversation, or the one named",
    body: SettingsPatch.extend({
      conversation_id: ConversationId.optional(),
      revision: z.number().int().optional(),
      confirm: Confirm.optional(),
    }),
    output: z.object({ conversation: ConversationMeta, warnings }),
    errors: ['unknown_conversation', 'stale', 'missing_cwd', 'storage_full', 'confirmation_required'],
  },
  deleteConversation: {
    method: 'DELETE',
    path: `${base}/conversations/{id}`,
    scope: 'operate',
    summary: 'Ends what runs for a conversation and puts it in the trash, from where it can be restored for a day',
    params: conversationParam,
    output: z.object({ ok: z.literal(true), ended_commands: z.number().int() }),
    errors: ['unknown_conversation', 'conflict'],
  },
  listDeleted: {
    method: 'GET',
    path: `${base}/deleted`,
    scope: 'read',
    summary: 'The conversations in the trash, the newest first',
    output: z.object({ conversations: z.array(DeletedRow) }),
    errors: [],
  },
  restoreConversation: {
    method: 'POST',
    path: `${base}/conversations/{id}/restore`,
    scope: 'operate',
    summary: 'Takes a conversation out of the trash',
    params: conversationParam,
    output: z.object({ conversation: ConversationMeta }),
    errors: ['unknown_conversation'],
  },
  archiveConversation: {
    method: 'POST',
    path: `${base}/conversations/{id}/archive`,
    scope: 'operate',
    summary: 'Archives it, here and in Codex',
    params: conversationParam,
    output: z.object({ conversation: ConversationMeta }),
    errors: ['unknown_conversation', 'conflict', 'codex_error'],
  },
  unarchiveConversation: {
    method: 'POST',
    path: `${base}/conversations/{id}/unarchive`,
    scope: 'operate',
    summary: 'Takes it out of the archive',
    params: conversationParam,
    output: z.object({ conversation: ConversationMeta }),
    errors: ['unknown_conversation', 'codex_error'],
  },
  forkConversation: {
    method: 'POST',
    path: `${base}/conversations/{id}/fork`,
    scope: 'operate',
    summary:
      'A new conversation that shares the history up to a turn; if asked, in a new work tree with the files as they were after it',
    params: conversationParam,
    body: z.object({
      turn_id: z.string().max(200).optional(),
      /** On a new branch from the commit of that moment. Needs the scope `run`. */
      worktree: NewWorktree.optional(),
    }),
    output: z.object({
      id: ConversationId,
      conversation: ConversationMeta,
      warnings,
      worktree: MadeWorktree.optional(),
    }),
    errors: [
      'unknown_conversation',
      'conflict',
      'thread_unreadable',
      'codex_error',
      'forbidden',
      'missing_cwd',
      'not_found',
      'no_answer',
      'storage_full',
    ],
  },
  revertConversation: {
    method: 'POST',
    path: `${base}/conversations/{id}/revert`,
    scope: 'operate',
    summary: 'Forgets a turn and all after it; the transcript keeps them, marked as reverted',
    params: conversationParam,
    body: z.object({ before_turn_id: z.string().min(1).max(200) }),
    output: z.object({ conversation: ConversationMeta }),
    errors: ['unknown_conversation', 'conflict', 'thread_unreadable', 'codex_error'],
  },
  recoverConversation: {
    method: 'POST',
    path: `${base}/conversations/{id}/recover`,
    scope: 'operate',
    summary: 'Goes on in a new thread where Codex cannot read the old one; the model is given a short history',
    params: conversationParam,
    output: z.object({ conversation: ConversationMeta }),
    errors: ['unknown_conversation', 'conflict', 'codex_error', 'codex_unavailable'],
  },
  reviewConversation: {
    method: 'POST',
    path: `${base}/conversations/{id}/review`,
    scope: 'operate',
    summary: 'Starts a review of uncommitted changes, a branch, a commit, or as told',
    params: conversationParam,
    body: z.object({ target: ReviewTarget.default({ type: 'uncommittedChanges' }) }),
    output: z.object({ turn_id: z.string() }),
    errors: ['unknown_conversation', 'conflict', 'thread_unreadable', 'codex_error'],
  },
  markRead: {
    method: 'POST',
    path: `${base}/conversations/{id}/read`,
    scope: 'operate',
    summary: 'Says up to which entry a person has seen it',
    params: conversationParam,
    body: z.object({ seq: z.number().int() }),
    output: Ok,
    errors: ['unknown_conversation'],
  },
  rollouts: {
    method: 'GET',
    path: `${base}/rollouts`,
    scope: 'read',
    summary: 'Threads in CODEX_HOME, whether opened here or not',
    query: z.object({ limit: integerQuery.min(1).max(100).default(50), cursor: z.string().max(4096).optional() }),
    output: z.object({
      rollouts: z.array(
        z.object({
          thread_id: ThreadId,
          conversation_id: ConversationId,
          preview: z.string(),
          cwd: z.string(),
          path: z.string().nullable(),
          updated_at: z.string(),
        }),
      ),
      next_cursor: z.string().nullable(),
    }),
    errors: ['codex_unavailable', 'codex_error', 'codex_timeout'],
  },
} as const satisfies Record<string, RouteDef>;
