/** URL ↔ place. The server serves the page at a few fixed paths, so the place lives in the hash. */
import type { ConversationId } from '../contract/ids.ts';

export interface Place {
  readonly conversationId: ConversationId | null;
  /** One thing in the conversation: an external event by its number, or an entry of the transcript. */
  readonly at?: { readonly kind: 'event' | 'entry'; readonly seq: number };
}

const CONVERSATION = /^#\/c\/(conv_[0-9a-f]{32})(?:\/([es])\/(\d{1,15}))?$/;

export function parsePlace(hash: string): Place {
  const [, conversationId = null, kind, seq] = CONVERSATION.exec(hash) ?? [];
  if (kind === undefined) return { conversationId };
  return { conversationId, at: { kind: kind === 'e' ? 'event' : 'entry', seq: Number(seq) } };
}

export function renderPlace({ conversationId, at }: Place): string {
  if (conversationId === null) return '#/';
  return `#/c/${conversationId}${at === undefined ? '' : `/${at.kind === 'event' ? 'e' : 's'}/${at.seq}`}`;
}
