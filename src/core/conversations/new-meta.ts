/** The sidecar a conversation begins with: as a draft, as a thread Codex already has, or as a fork of another one. */
import { NO_CONTEXT_MEMORY } from '../../contract/context.ts';
import type { ConversationMeta, Preferences } from '../../contract/conversation.ts';
import { type ConversationId, conversationIdOfThread } from '../../contract/ids.ts';
import type { ThreadRecord } from '../codex/signal.ts';
import { visiblePreview } from '../context/carriers.ts';

/** First words of a message, as a list has room for. */
export const MAX_PREVIEW_CHARS = 160;
/** What `SettingsPatch` lets a person write. */
const MAX_LABEL_CHARS = 200;

export function draftMeta(id: ConversationId, preferences: Preferences, now: string): ConversationMeta {
  return {
    conversation_id: id,
    thread_id: null,
    lost_threads: [],
    label: null,
    model: preferences.model,
    reasoning_effort: preferences.reasoning_effort,
    approval: preferences.approval,
    sandbox: preferences.sandbox,
    cwd: preferences.cwd ?? '',
    markdown: true,
    command_output_lines: preferences.command_output_lines,
    pinned: false,
    draft: '',
    mode: 'default',
    rollout_path: null,
    preview: '',
    created_at: now,
    updated_at: now,
    archived: false,
    revision: 0,
    queue: [],
    queue_paused: false,
    read_seq: 0,
    unread: 0,
    active_at: now,
    forked_from: null,
    attempt: null,
    history: null,
    context: preferences.context,
    pending_cmd_buffer: null,
    context_memory: NO_CONTEXT_MEMORY,
    reset_settings: [],
    recovering: null,
    real_cwd: null,
  };
}

/** Of a thread that is opened here for the first time; its past is read from Codex. */
export function metaOfThread(thread: ThreadRecord, preferences: Preferences, now: string): ConversationMeta {
  return {
    ...draftMeta(conversationIdOfThread(thread.threadId), preferences, now),
    thread_id: thread.threadId,
    label: thread.name,
    preview: visiblePreview(thread.preview).slice(0, MAX_PREVIEW_CHARS),
    cwd: thread.cwd,
    model: thread.model,
    rollout_path: thread.rolloutPath,
    created_at: thread.createdAt,
    history: { cursor: null, complete: false },
  };
}

/** Why there is a fork: somebody wanted one, or an edit is about to make the parent forget some of its turns. */
type ForkReason = 'fork' | 'before an edit';

/** The parent's settings; of what waits or was told there, nothing. */
export function metaOfFork(
  parent: ConversationMeta,
  thread: ThreadRecord,
  now: string,
  reason: ForkReason = 'fork',
): ConversationMeta {
  const name = thread.name ?? parent.label ?? parent.preview;
  return {
    ...parent,
    conversation_id: conversationIdOfThread(thread.threadId),
    thread_id: thread.threadId,
    lost_threads: [],
    rollout_path: thread.rolloutPath,
    history: { cursor: null, complete: false },
    created_at: thread.createdAt,
    label: `${name.slice(0, MAX_LABEL_CHARS - reason.length - 3)} (${reason})`,
    forked_from: parent.conversation_id,
    attempt: null,
    active_at: now,
    unread: 0,
    pinned: false,
    queue: [],
    queue_paused: false,
    pending_cmd_buffer: null,
    context_memory: NO_CONTEXT_MEMORY,
    recovering: null,
    read_seq: 0,
    revision: 0,
  };
}
