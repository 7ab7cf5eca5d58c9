/** What a conversation keeps of messages on their way to Codex, and what becomes of that when Codex has them, or has not. */
import type { ContextMark, ContextMemory, Fragment, InFlight, TerminalValues } from '../../contract/context.ts';
import type { ConversationMeta } from '../../contract/conversation.ts';
import { takeCommands } from './command-buffer.ts';

/** More than two messages can carry; an older block is not told again. */
const MAX_REMEMBERED_BLOCKS = 20;

/** The values turn-backed fragments were made from. */
export interface TurnValues {
  readonly terminal: TerminalValues | null;
  readonly peers: readonly string[] | null;
  readonly commandsRun: number;
}

/** The id under which the events of a message are told: part of their text, so that they are found in what Codex kept. */
export const deliveryIdOf = (clientMessageId: string): string => `dlv-${clientMessageId}`;

export function markOf(carried: readonly Fragment[]): ContextMark {
  const counted = carried.filter((one) => one.ids.length > 0).map((one) => [one.name, one.ids.length] as const);
  return { names: carried.map((one) => one.name), counts: Object.fromEntries(counted) };
}

export function inFlightOf(clientMessageId: string, carried: readonly Fragment[], values: TurnValues): InFlight {
  const { names, counts } = markOf(carried);
  const has = (name: Fragment['name']) => carried.some((one) => one.name === name);
  return {
    client_message_id: clientMessageId,
    names: [...names],
    counts,
    block_ids: carried.flatMap((one) => (one.name === 'commands' ? one.ids : [])),
    commands_run: has('commands') ? values.commandsRun : 0,
    terminal: has('terminal') ? values.terminal : null,
    peers: has('peers') && values.peers !== null ? [...values.peers] : null,
  };
}

/** Notes a message before it goes; one that goes again replaces itself. */
export function addInFlight(meta: ConversationMeta, flight: InFlight): ConversationMeta {
  const { in_flight: others, ...memory } = dropInFlight(meta, flight.client_message_id).context_memory;
  return { ...meta, context_memory: { ...memory, in_flight: [...others, flight] } };
}

/** Codex has the message: the buffer of commands is lighter, and the next message tells only what changed since. */
export function settleInFlight(meta: ConversationMeta, clientMessageId: string): ConversationMeta {
  const { in_flight: flights, terminal, peers, carried_blocks } = meta.context_memory;
  const flight = flights.find((one) => one.client_message_id === clientMessageId);
  if (flight === undefined) return meta;
  const memory: ContextMemory = {
    in_flight: flights.filter((one) => one !== flight),
    terminal: flight.terminal ?? terminal,
    peers: flight.peers ?? peers,
    carried_blocks: [...carried_blocks, ...flight.block_ids].slice(-MAX_REMEMBERED_BLOCKS),
  };
  const carried = { blockIds: flight.block_ids, run: flight.commands_run };
  return { ...meta, context_memory: memory, pending_cmd_buffer: takeCommands(meta.pending_cmd_buffer, carried) };
}

/** Codex does not have the message: everything it carried waits for the next one. */
export function dropInFlight(meta: ConversationMeta, clientMessageId: string): ConversationMeta {
  const in_flight = meta.context_memory.in_flight.filter((one) => one.client_message_id !== clientMessageId);
  return { ...meta, context_memory: { ...meta.context_memory, in_flight } };
}

/** The conversation as it is once everything on its way has arrived: what the next message is compared with. */
export function withInFlight(meta: ConversationMeta): ConversationMeta {
  return meta.context_memory.in_flight.reduce((next, one) => settleInFlight(next, one.client_message_id), meta);
}

/** What the model was told is gone from its history (fork, revert, compaction): tell it anew. */
export function forgetTold(memory: ContextMemory): ContextMemory {
  return { ...memory, terminal: null, peers: null };
}
