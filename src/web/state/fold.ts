/** The server's frames → the next state. Pure; called once per animation frame with all that came since the last. */
import type { ConversationRow } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { ServerFrame } from '../../contract/ui-event.ts';
import { type ConversationView, reduceConversation } from '../../core/conversations/reduce.ts';
import { deriveTranscript } from '../transcript/rows.ts';
import type { AppState, Outgoing } from './store.ts';

/** Entries kept while following the end; older ones are paged in again. Bounds the memory of a tab left open for a week. */
const MAX_HELD = 600;
const KEPT = 400;

export function foldFrames(state: AppState, frames: readonly ServerFrame[]): Partial<AppState> {
  let {
    view,
    list,
    codex,
    codexWarnings,
    storage,
    openState,
    unreadEvents,
    eventNews,
    alarm,
    printed,
    page,
    fileNews,
  } = state;
  let hasMore = state.past?.liveHasMore ?? state.hasMore;
  for (const frame of frames) {
    if (frame.type === 'page') page = frame.page;
    else if (frame.type === 'server_status') ({ codex, codex_warnings: codexWarnings, storage } = frame);
    else if (frame.type === 'conversation') {
      list = 'deleted' in frame ? without(list, frame.deleted) : withRow(list, frame.conversation);
    } else if (frame.type === 'notification') {
      const { conversation_id: id, unread } = frame.params;
      unreadEvents = new Map(unreadEvents).set(id, unread);
      if (id === state.openId) eventNews += 1;
      const critical = frame.params.events.findLast((one) => one.severity === 'critical');
      if (frame.method === 'externalEvent/received' && critical !== undefined)
        alarm = { conversationId: id, eventSeq: critical.event_seq, title: critical.title };
    } else if (frame.type === 'refused') {
      if (frame.conversation_id === state.openId && frame.code.startsWith('unknown')) openState = 'missing';
    } else if (frame.type === 'block_output') {
      if (frame.conversation_id === state.openId) printed = { blockId: frame.block_id, bytes: frame.output_bytes };
    } else if (frame.type === 'changes') {
      if (frame.conversation_id === state.openId && frame.of === 'files') fileNews += 1;
    } else if (isOf(frame, state.openId)) {
      view = reduceConversation(view, frame);
      if (frame.type === 'sync') {
        if (frame.verdict === 'reset') hasMore = frame.has_more ?? true;
        list = withRow(list, frame.status.row);
        openState = 'ready';
        fileNews += 1;
      }
    }
  }
  if (state.follow === 'pinned' && view.entries.length > MAX_HELD) {
    view = { ...view, entries: view.entries.slice(-KEPT) };
    hasMore = true;
  }
  const common = {
    view,
    list,
    codex,
    codexWarnings,
    storage,
    openState,
    unreadEvents,
    eventNews,
    alarm,
    printed,
    page,
    fileNews,
    outbox: arrived(state.outbox, view),
  };
  if (state.past !== null) return { ...common, past: { ...state.past, liveHasMore: hasMore } };
  return { ...common, hasMore, transcript: deriveTranscript(state.transcript, view.entries, view.live) };
}

function isOf(frame: ServerFrame, openId: ConversationId | null): boolean {
  return 'conversation_id' in frame && frame.conversation_id === openId;
}

function without(list: AppState['list'], id: ConversationId): AppState['list'] {
  const next = new Map(list);
  next.delete(id);
  return next;
}

function withRow(list: AppState['list'], row: ConversationRow): AppState['list'] {
  return new Map(list).set(row.id, row);
}

function arrived(outbox: readonly Outgoing[], view: ConversationView): readonly Outgoing[] {
  if (outbox.length === 0) return outbox;
  const ids = new Set(view.entries.slice(-50).map((entry) => (entry.role === 'user' ? entry.client_message_id : '')));
  const left = outbox.filter((one) => !ids.has(one.clientMessageId));
  return left.length === outbox.length ? outbox : left;
}
