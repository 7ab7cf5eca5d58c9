/** The fragments this room makes itself: terminal commands, where the terminal stands, who else is on the board. */
import type { Fragment, FragmentName, TerminalValues } from '../../contract/context.ts';
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { COMMANDS, commandContextOf } from '../../core/context/command-buffer.ts';
import { fragmentOf } from '../../core/context/fragment.ts';
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
  const state = wanted.includes('terminal') ? await sources.terminal(id) : null;
  const names = wanted.includes('peers') ? await sources.peers(id) : null;
  const { context_memory: told, pending_cmd_buffer: buffer } = meta;
  const terminal = state === null ? null : TERMINAL.fromTurn(state);
  const moved = terminal === null ? null : TERMINAL.diff(TERMINAL.rebuild(told.terminal), terminal);
  const peers = names === null ? null : PEERS.fromTurn(names);
  const met = peers === null ? null : PEERS.diff(PEERS.rebuild(told.peers), peers);
  const hasCommands = wanted.includes('commands') && buffer !== null && buffer.total_commands_run > 0;
  const fragments: Fragment[] = [];
  if (moved !== null) fragments.push(fragmentOf(TERMINAL, { ...moved, at }));
  if (met !== null) fragments.push(fragmentOf(PEERS, { ...met, at }));
  if (hasCommands) {
    const ids = buffer.commands.map((one) => one.block_id);
    fragments.push(fragmentOf(COMMANDS, commandContextOf(buffer), ids));
  }
  const commandsRun = hasCommands ? buffer.total_commands_run : 0;
  return { fragments, values: { terminal, peers: peers === null ? null : peers.names, commandsRun } };
}
