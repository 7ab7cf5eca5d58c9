/** The fragments this room makes itself: terminal commands, where the terminal stands, who else is on the board. */
import type { CommandBuffer, Fragment, FragmentName, TerminalValues } from '../../contract/context.ts';
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { COMMANDS, commandContextOf, onlyAsked } from '../../core/context/command-buffer.ts';
import { fragmentOf, turnFragmentOf } from '../../core/context/fragment.ts';
import type { TurnValues } from '../../core/context/in-flight.ts';
import { PEERS } from '../../core/context/peers.ts';
import { TERMINAL } from '../../core/context/terminal-state.ts';

interface OwnSources {
  /** Null when the conversation has no terminal yet. */
  readonly terminal: (id: ConversationId) => Promise<TerminalValues | null>;
  /** Names of the others on the board. */
  readonly peers: (id: ConversationId) => Promise<readonly string[]>;
}

interface Collected {
  readonly fragments: readonly Fragment[];
  readonly values: TurnValues;
}

export async function collectOwn(
  sources: OwnSources,
  id: ConversationId,
  meta: ConversationMeta,
  wanted: readonly FragmentName[],
  at: number,
): Promise<Collected> {
  const { context_memory: told, pending_cmd_buffer: buffer } = meta;
  const state = wanted.includes('terminal') ? await sources.terminal(id) : null;
  const names = wanted.includes('peers') ? await sources.peers(id) : null;
  const terminal = state === null ? null : turnFragmentOf(TERMINAL, told.terminal, state, at);
  const peers = names === null ? null : turnFragmentOf(PEERS, told.peers, names, at);
  const waiting = wanted.includes('commands') ? buffer : onlyAsked(buffer);
  return {
    fragments: [
      ...(terminal?.fragments ?? []),
      ...(peers?.fragments ?? []),
      ...(waiting === null ? [] : [fragmentOf(COMMANDS, commandContextOf(waiting), blocksIn(waiting))]),
    ],
    values: {
      terminal: terminal?.state ?? null,
      peers: peers?.state.names ?? null,
      commandsRun: waiting?.total_commands_run ?? 0,
    },
  };
}

const blocksIn = ({ commands }: CommandBuffer): string[] => commands.map((one) => one.block_id);
