/** Who brought an event, and what that says about it. The producer's own word for it counts for nothing. */
import type { Socket } from 'node:net';
import type { Ingress, Trust } from '../../contract/external-event.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Failure } from '../../contract/result.ts';

/** A command of an agent that shows an event token; null if nothing says of which conversation. */
export interface EventAgent {
  readonly conversationId: ConversationId | null;
}

/** The process at the other end of an event socket. */
export type EventSender =
  | { readonly kind: 'program' }
  | ({ readonly kind: 'agent' } & EventAgent)
  /** It has closed its end, or is in another network namespace: nothing shows that it is not a command of an agent. */
  | { readonly kind: 'unseen' };

export type FindSender = (socket: Socket) => Promise<EventSender>;

/** An adapter forwards what it took from a message queue. It can only say so with a token, and gains nothing by it. */
type Via = 'queue';

export type Principal =
  /** Knows the token of one thread; `agent` is there if a command of an agent shows it, which may use its own thread's only. */
  | {
      readonly kind: 'event_token';
      readonly threadId: string;
      readonly agent?: EventAgent | undefined;
      readonly via?: Via;
    }
  | { readonly kind: 'api_token'; readonly via?: Via }
  /** A queue adapter of this server; its entry in the configuration says what it may do. */
  | { readonly kind: 'adapter'; readonly name: string; readonly trust: Trust }
  | { readonly kind: 'session' }
  /** A command of this conversation's agent; null if nothing says of which. */
  | { readonly kind: 'agent'; readonly conversationId: ConversationId | null }
  /** Can write a file in the thread's folder, or sent on the event socket unseen, which says nothing about who it is. */
  | { readonly kind: 'file' }
  | { readonly kind: 'webhook'; readonly proof: 'signature' | 'shared_secret' }
  /** The host of a repository (github.com), asked by this server with the person's own login there. */
  | { readonly kind: 'host' }
  /** Another agent or a person, through the board of this server. */
  | { readonly kind: 'board' };

/** What a command of an agent is told that shows the token of another conversation's thread. */
export const NOT_ITS_OWN_THREAD: Failure = {
  code: 'forbidden',
  message: 'a command of an agent may reach its own thread only',
};

const local = (authenticated: boolean, provenance: Trust['provenance']): Trust => ({
  origin: 'local',
  authenticated,
  provenance,
  treat_as_instruction: false,
});

const TRUST: Readonly<Record<Exclude<Principal['kind'], 'webhook' | 'adapter'>, Trust>> = {
  event_token: local(true, 'token'),
  api_token: local(true, 'api_token'),
  session: local(true, 'session'),
  agent: local(true, 'token'),
  file: local(false, 'none'),
  host: { origin: 'network', authenticated: true, provenance: 'host_login', treat_as_instruction: false },
  board: local(true, 'board'),
};

export function trustOf(principal: Principal): Trust {
  if (principal.kind === 'adapter') return principal.trust;
  if ('via' in principal && principal.via === 'queue') return { ...TRUST[principal.kind], origin: 'queue' };
  if (principal.kind !== 'webhook') return TRUST[principal.kind];
  return { origin: 'network', authenticated: true, provenance: principal.proof, treat_as_instruction: false };
}

/** Files cannot be told to wait: they are read at our pace instead. */
export const isPaced = (ingress: Ingress): boolean => ingress === 'file' || ingress === 'drop';
