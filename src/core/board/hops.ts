/**
 * The count behind the guard against agents that answer each other for ever: a post of an agent carries one hop more than what it was last
 * told by another agent; a person who speaks to the conversation sets it back. The limit is that of events (`max_hops`), since it is only
 * as an event that a post wakes anybody. Pure.
 */

export interface Hops {
  /** Of the last message that reached each conversation since a person spoke to it. */
  readonly heard: ReadonlyMap<string, number>;
}

export const NO_HOPS: Hops = { heard: new Map() };

export function hopsOfPost(hops: Hops, author: string): number {
  return (hops.heard.get(author) ?? 0) + 1;
}

export function hearHops(hops: Hops, conversationId: string, count: number): Hops {
  return { heard: new Map([...hops.heard, [conversationId, count]]) };
}

export function personSpoke(hops: Hops, conversationId: string): Hops {
  if (!hops.heard.has(conversationId)) return hops;
  return { heard: new Map([...hops.heard].filter(([id]) => id !== conversationId)) };
}
