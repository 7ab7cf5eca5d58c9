/** Which lifecycle events a person's own command is run for, and what the command is given. */
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Notification } from '../../contract/notification.ts';
import type { Lifecycle } from './lifecycle.ts';

/** Null for an event the command is not run for. `meta`: null if the conversation was deleted. */
export function notificationOf(
  conversationId: ConversationId,
  event: Lifecycle,
  meta: Pick<ConversationMeta, 'label' | 'thread_id'> | null,
): Notification | null {
  const about = { conversation_id: conversationId, label: meta?.label ?? null, thread_id: meta?.thread_id ?? null };
  if (event.type === 'turn_ended') return { event: event.type, ...about, turn_id: event.turnId, status: event.status };
  if (event.type !== 'ask_opened') return null;
  const { approval_id, turn_id, kind, title } = event.approval;
  return { event: event.type, ...about, turn_id, approval_id, kind, title };
}
