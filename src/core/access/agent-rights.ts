/** What a command of an agent may do, whatever token it shows: what concerns its own conversation, and nothing that runs, allows or changes. */
import type { AgentAccess } from '../../contract/access.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Failure } from '../../contract/result.ts';
import type { Caller } from './caller.ts';
import type { Peer } from './classify-peer.ts';

type AgentCaller = Extract<Caller, { kind: 'agent' }>;

/** The agent whose command is at the other end; undefined if it is none of an agent. */
export function agentAt(peer: Peer): Pick<AgentCaller, 'conversationId'> | undefined {
  if (peer.kind === 'codex') return { conversationId: null };
  return peer.kind === 'agent' ? { conversationId: peer.conversationId } : undefined;
}

/** A token is only as good as the process that shows it. Sessions are not looked at: their proof is in a browser. */
export function callerAt<C extends Caller>(caller: C, peer: Peer): C | AgentCaller {
  const agent = agentAt(peer);
  if (caller.kind !== 'token' || agent === undefined) return caller;
  return { kind: 'agent', ...agent, id: caller.id, scopes: caller.scopes };
}

/** Null: the agent may use a route that has this access, as far as its scopes reach. */
export function refuseAgent(access: AgentAccess | undefined): Failure | null {
  return access === undefined ? NOT_FOR_AGENTS : null;
}

/** Null: the input names the agent's own conversation, or the route concerns none. `named`: the conversations its input names. */
export function refuseForeign(
  caller: AgentCaller,
  access: AgentAccess | undefined,
  named: readonly (ConversationId | null)[],
): Failure | null {
  if (access !== 'own') return null;
  const isOwn = named.length > 0 && named.every((id) => id !== null && id === caller.conversationId);
  return isOwn ? null : NOT_ITS_OWN;
}

const ALLOWED = 'Commands of an agent may publish events, post on the board and read their own conversation.';

const NOT_FOR_AGENTS: Failure = {
  code: 'forbidden',
  message: `a command of an agent asked for this (it descends from Codex or from a shared terminal), and no token allows it there. ${ALLOWED} Run it in a terminal of your own`,
  details: { reason: 'agent' },
};

const NOT_ITS_OWN: Failure = {
  code: 'forbidden',
  message: `a command of an agent asked for another conversation than its own. ${ALLOWED} Name your own conversation, or run it in a terminal of your own`,
  details: { reason: 'agent' },
};
