/** A command of the terminal as a reference in a message: what it was, how it ended, and its id, by which the agent can read the rest. */
import type { Block } from '../../contract/terminal.ts';
import { en } from '../strings/en.ts';
import { formatDuration } from '../ui/format.ts';
import { durationOf } from './block-list.ts';

/** A reference, not the thing: the whole command is behind the id. */
const MAX_LINES = 6;

export type QuotedBlock = Pick<Block, 'block_id' | 'cmd' | 'cwd' | 'exit_code' | 'status' | 'ts_begin' | 'ts_end'>;

export function quoteBlock(block: QuotedBlock): string {
  const lines = block.cmd.split('\n');
  const shown = lines.slice(0, MAX_LINES).map((line, at) => `> ${at === 0 ? '$ ' : '  '}${line}`);
  const rest = lines.length > MAX_LINES ? [`> …`] : [];
  return [...shown, ...rest, `> ${describeEnd(block)} · ${block.cwd} · ${block.block_id}`, '', ''].join('\n');
}

/** `exit 1 · 4.2 s`, in words where there is no number. */
export function describeEnd(block: QuotedBlock): string {
  const duration = durationOf(block);
  const end = block.exit_code === null ? en.terminal.status[block.status] : en.transcript.exit(block.exit_code);
  return duration === null ? end : `${end} · ${formatDuration(duration)}`;
}
