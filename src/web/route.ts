/** URL ↔ place. The server serves the page at a few fixed paths, so the place lives in the hash. */
import type { ConversationId } from '../contract/ids.ts';

export interface Place {
  readonly conversationId: ConversationId | null;
}

const CONVERSATION = /^#\/c\/(conv_[0-9a-f]{32})$/;

export function parsePlace(hash: string): Place {
  return { conversationId: CONVERSATION.exec(hash)?.[1] ?? null };
}

export function renderPlace(place: Place): string {
  return place.conversationId === null ? '#/' : `#/c/${place.conversationId}`;
}
