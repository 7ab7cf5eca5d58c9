/** Who brought an event, and what that says about it. The producer's own word for it counts for nothing. */
import type { Ingress, Trust } from '../../contract/external-event.ts';
import type { ConversationId } from '../../contract/ids.ts';

export type Principal =
  /** Knows the token of one thread. */
  | { readonly kind: 'event_token'; readonly threadId: string }
  | { readonly kind: 'api_token' }
  | { readonly kind: 'session' }
  /** A command of this conversation's agent; null if nothing says of which. */
  | { readonly kind: 'agent'; readonly conversationId: ConversationId | null }
  /** Can write a file in the thread's folder, which says nothing about who it is. */
  | { readonly kind: 'file' }
  | { readonly kind: 'webhook'; readonly proof: 'signature' | 'shared_secret' }
  /** Another agent or a person, through the board of this server. */
  | { readonly kind: 'board' };

const local = (authenticated: boolean, provenance: Trust['provenance']): Trust => ({
  origin: 'local',
  authenticated,
  provenance,
  treat_as_instruction: false,
});

const TRUST: Readonly<Record<Exclude<Principal['kind'], 'webhook'>, Trust>> = {
  event_token: local(true, 'token'),
  api_token: local(true, 'api_token'),
  session: local(true, 'session'),
  agent: local(true, 'token'),
  file: local(false, 'none'),
  board: local(true, 'board'),
};

export function trustOf(principal: Principal): Trust {
  if (principal.kind !== 'webhook') return TRUST[principal.kind];
  return { origin: 'network', authenticated: true, provenance: principal.proof, treat_as_instruction: false };
}

/** Files cannot be told to wait: they are read at our pace instead. */
export const isPaced = (ingress: Ingress): boolean => ingress === 'file' || ingress === 'drop';
