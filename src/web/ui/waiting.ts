/** How many requests wait for a person, by conversation, and which conversation has a new one. */
import type { ConversationId } from '../../contract/ids.ts';
import type { AppState } from '../state/store.ts';

export type Waiting = ReadonlyMap<ConversationId, number>;

/**
 * The open conversation is counted by its requests, the others by their rows in the list. The row and the request arrive in frames of
 * their own: counted by its row, a request would be announced before the page has its words.
 */
export function countWaiting({ list, openId, view }: Pick<AppState, 'list' | 'openId' | 'view'>): Waiting {
  const counts = new Map<ConversationId, number>();
  for (const { id, pending_approvals } of list.values()) {
    const count = id === openId && view.isSynchronized ? view.live.approvals.length : pending_approvals;
    if (count > 0) counts.set(id, count);
  }
  return counts;
}

export function totalOf(waiting: Waiting): number {
  let total = 0;
  for (const count of waiting.values()) total += count;
  return total;
}

/** The conversation that has more requests than before; null if none has. */
export function newlyWaiting(before: Waiting, now: Waiting): ConversationId | null {
  for (const [id, count] of now) if (count > (before.get(id) ?? 0)) return id;
  return null;
}
