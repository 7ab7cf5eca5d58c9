/** A conversation as lists show it: from its sidecar, from what is known while it is open, or from Codex alone. */
import type { ConversationMeta, ConversationRow } from '../../contract/conversation.ts';
import type { Entry, NewEntry } from '../../contract/entry.ts';
import { conversationIdOfThread } from '../../contract/ids.ts';
import type { ThreadRecord } from '../codex/signal.ts';
import { visiblePreview } from '../context/carriers.ts';
import type { ThreadState } from './thread-state.ts';

/** What a conversation that begins with this entry is called: the words of the person, or what is reviewed. Null for any other entry. */
export function previewOf(entry: NewEntry): string | null {
  if (entry.role === 'user') return entry.text;
  const isReview = entry.role === 'note' && entry.kind === 'review_started';
  return isReview ? entry.text.replace(/^Review started: /, 'Review: ') : null;
}

/** Of a conversation that is not open: nothing runs in it, and nobody is waited for. */
export function rowOfMeta(meta: ConversationMeta, lastSeq: number): ConversationRow {
  return {
    id: meta.conversation_id,
    thread_id: meta.thread_id,
    label: meta.label,
    preview: meta.preview,
    cwd: meta.cwd,
    model: meta.model,
    ...(meta.applied_model !== undefined && { applied_model: meta.applied_model }),
    ...(meta.applied_effort !== undefined && { applied_effort: meta.applied_effort }),
    state: meta.thread_id === null ? 'draft' : 'idle',
    pending_approvals: 0,
    queued: meta.queue.length,
    revision: meta.revision,
    pinned: meta.pinned,
    archived: meta.archived,
    last_seq: lastSeq,
    read_seq: meta.read_seq,
    unread: meta.unread,
    forked_from: meta.forked_from,
    created_at: meta.created_at,
    updated_at: meta.updated_at,
    active_at: meta.active_at ?? meta.updated_at,
    source: 'signalbox',
  };
}

export function rowOfOpen(
  meta: ConversationMeta,
  lastSeq: number,
  state: Pick<ThreadState, 'asks' | 'turn' | 'activity'>,
): ConversationRow {
  const waiting = Object.values(state.asks).filter((one) => !one.isAnsweredElsewhere).length;
  const stored = rowOfMeta(meta, lastSeq);
  return { ...stored, state: stateOf(stored, waiting, state), pending_approvals: waiting };
}

/** What a message, an answer or the end of a turn changes in the sidecar: the time, and how much nobody has seen. */
export function noteActivity(meta: ConversationMeta, { role, ts }: Pick<Entry, 'role' | 'ts'>): ConversationMeta {
  if (role === 'assistant') return { ...meta, active_at: ts, unread: meta.unread + 1 };
  return role === 'user' || role === 'status' ? { ...meta, active_at: ts } : meta;
}

/** What a person must do comes first, then what happens, then how it ended. */
function stateOf(
  stored: ConversationRow,
  waiting: number,
  { turn, activity }: Pick<ThreadState, 'turn' | 'activity'>,
): ConversationRow['state'] {
  if (waiting > 0) return 'waiting';
  if (turn !== null) return 'running';
  return stored.state === 'idle' && activity.lamp === 'error' ? 'failed' : stored.state;
}

/** Of a thread that was never opened here. */
export function rowOfThread(thread: ThreadRecord, archived: boolean): ConversationRow {
  return {
    id: conversationIdOfThread(thread.threadId),
    thread_id: thread.threadId,
    label: thread.name,
    preview: visiblePreview(thread.preview),
    cwd: thread.cwd,
    model: thread.model,
    state: 'idle',
    pending_approvals: 0,
    queued: 0,
    revision: 0,
    pinned: false,
    archived,
    last_seq: 0,
    read_seq: 0,
    unread: 0,
    forked_from: null,
    created_at: thread.createdAt,
    updated_at: thread.usedAt,
    active_at: thread.usedAt,
    source: 'codex',
  };
}

/** Whether a list narrowed down to `text` shows the row. Empty text narrows nothing. */
export function hasText(row: ConversationRow, text: string): boolean {
  const needle = text.toLowerCase();
  return [row.label ?? '', row.preview, row.cwd].some((one) => one.toLowerCase().includes(needle));
}
