/** Hears of blocks that end in a conversation's terminal, and reads where the terminal stands. */
import type { TerminalValues } from '../../contract/context.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { OutputPage } from '../../contract/routes-terminal.ts';
import type { Block, ShellId, TerminalKey, TerminalState } from '../../contract/terminal.ts';
import type { EndedCommand } from '../../core/context/command-buffer.ts';
import { isSharedTerminal } from '../../core/terminal/terminal-key.ts';
import { gitBranchOf } from '../../node/git-branch.ts';

/** The end or the beginning of a block, with what the terminal knew of it. */
interface BlockEvent {
  readonly conversationId: ConversationId;
  readonly kind: 'begin' | 'end';
  readonly shellId: ShellId;
  readonly block: Block;
}

/** What the context needs of the terminals. */
export interface TerminalPort {
  /** Without asking the pty host; `cursor` may be out of date. */
  pushedState(id: ConversationId): Promise<Result<TerminalState>>;
  output(
    id: TerminalKey,
    blockId: string,
    query: { readonly offset: number; readonly maxBytes: number },
  ): Promise<Result<OutputPage>>;
  block(id: TerminalKey, blockId: string): Promise<Result<Block>>;
  onBlock(listener: (event: BlockEvent) => void): () => void;
}

/** Enough for the preview's lines with all the colors a program can put into them. */
const TAIL_BYTES = 16 * 1024;

const ENDS = {
  running: 'running',
  completed: 'completed',
  interrupted: 'interrupted',
  shell_exited: 'killed',
  lost: 'lost',
} as const;

interface EndedIn {
  readonly terminal: TerminalKey;
  readonly shellId: ShellId | null;
  readonly block: Block;
}

export async function endedCommandOf(
  terminals: TerminalPort,
  { terminal: id, shellId, block }: EndedIn,
  now: number,
): Promise<EndedCommand> {
  const offset = Math.max(0, block.output_bytes - TAIL_BYTES);
  // What took the whole screen is not text.
  const query = { offset, maxBytes: TAIL_BYTES };
  const page = block.alt_screen ? null : await terminals.output(id, block.block_id, query);
  return {
    blockId: block.block_id,
    shellId,
    cmd: block.cmd,
    cwd: block.cwd,
    exitCode: block.exit_code,
    ts: block.ts_end ?? now,
    durationMs: block.ts_end === null ? null : block.ts_end - block.ts_begin,
    end: ENDS[block.status],
    output: page?.ok ? page.value.text : '',
    ...(!isSharedTerminal(id) && { isPrivate: true }),
    isOutputCut: block.alt_screen || offset > 0 || (page?.ok === true && page.value.omitted_bytes > 0),
  };
}

/** Null while nobody has opened the terminal. */
export async function terminalValuesOf(terminals: TerminalPort, id: ConversationId): Promise<TerminalValues | null> {
  const state = await terminals.pushedState(id);
  if (!state.ok || state.value.shell_id === null) return null;
  const { cwd, shell, last_exit_code } = state.value;
  return { cwd, shell, last_exit_code, git_branch: await gitBranchOf(cwd) };
}
