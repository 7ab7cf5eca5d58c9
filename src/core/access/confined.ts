/** A token that is for one conversation: which routes it may use, and only about that conversation. Pure. */
import type { Failure } from '../../contract/result.ts';
import type { RouteId } from '../../contract/routes.ts';
import { SOCKETS } from '../../contract/sockets.ts';
import type { Caller } from './caller.ts';

/** Which field of the input names the conversation; `none` is about no conversation. A route that is not listed is closed to such a token. */
const NAMED_BY: Partial<Record<RouteId, 'id' | 'conversation_id' | 'thread_id' | 'none'>> = {
  health: 'none',
  openapi: 'none',
  configSchema: 'none',
  session: 'none',
  eventSchema: 'none',
  models: 'none',
  readConversation: 'id',
  changesStatus: 'id',
  changesDiff: 'id',
  reviewChoices: 'id',
  listCheckpoints: 'id',
  readCheckpoint: 'id',
  conversationNetwork: 'id',
  patchConversation: 'id',
  patchCurrentConversation: 'conversation_id',
  currentConversation: 'conversation_id',
  archiveConversation: 'id',
  unarchiveConversation: 'id',
  revertConversation: 'id',
  reviewConversation: 'id',
  markRead: 'id',
  messageContext: 'id',
  readFile: 'id',
  readImage: 'id',
  readQueue: 'id',
  writeQueue: 'id',
  resumeQueue: 'id',
  sendQueued: 'id',
  sendMessage: 'conversation_id',
  interrupt: 'conversation_id',
  compact: 'conversation_id',
  shellExec: 'conversation_id',
  transcript: 'conversation_id',
  transcriptRange: 'conversation_id',
  appendNote: 'conversation_id',
  approvalRecord: 'conversation_id',
  listApprovals: 'conversation_id',
  search: 'conversation_id',
  usage: 'conversation_id',
  mcpToken: 'conversation_id',
  listEvents: 'thread_id',
  readEvent: 'thread_id',
  listRejectedEvents: 'thread_id',
  ackEvent: 'thread_id',
  ackEvents: 'thread_id',
  markEventsUnread: 'thread_id',
  terminalState: 'id',
  terminalOpen: 'id',
  terminalBlocks: 'id',
  terminalBlock: 'id',
  terminalOutput: 'id',
  terminalScreen: 'id',
  terminalScrollback: 'id',
  terminalInput: 'id',
  terminalInterrupt: 'id',
  terminalResize: 'id',
  terminalClose: 'id',
};

/** Null for a caller that is for every conversation. */
export const confinedTo = (caller: Caller): string | null =>
  caller.kind === 'token' ? (caller.conversationId ?? null) : null;

export function refuseConversation(caller: Caller, conversationId: string): Failure | null {
  const own = confinedTo(caller);
  return own === null || own === conversationId ? null : refusal(own);
}

/** `threadOf`: the thread of a conversation; null when it has none yet. */
export function refuseInput(
  caller: Caller,
  route: string,
  input: Readonly<Record<string, unknown>>,
  threadOf: (conversationId: string) => string | null,
): Failure | null {
  const own = confinedTo(caller);
  if (own === null) return null;
  const field = fieldOf(route);
  if (field === undefined) return refusal(own);
  if (field === 'none') return null;
  return input[field] === (field === 'thread_id' ? threadOf(own) : own) ? null : refusal(own);
}

function fieldOf(route: string): string | undefined {
  return Object.entries(NAMED_BY).find(([id]) => id === route)?.[1];
}

/** The event stream checks each subscription itself. */
export function refuseSocketPath(caller: Caller, path: string): Failure | null {
  const own = confinedTo(caller);
  const isOwn = path === SOCKETS.events.path || path === `${SOCKETS.terminal.path}${own}`;
  return own === null || isOwn ? null : refusal(own);
}

/** Whether a caller hears of something that is told to everybody. A token for one conversation hears of that one and of the server. */
export function mayHear(
  caller: Caller,
  event: { readonly type: string; readonly conversation?: { readonly id: string } | undefined },
): boolean {
  const own = confinedTo(caller);
  return own === null || event.type === 'server_status' || event.conversation?.id === own;
}

function refusal(own: string): Failure {
  return {
    code: 'forbidden',
    message: `this token is for the conversation ${own} only`,
    details: { conversation_id: own },
  };
}
