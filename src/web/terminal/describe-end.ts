/** How a command of the terminal ended, in a few words. */
import type { Block } from '../../contract/terminal.ts';
import { en } from '../strings/en.ts';
import { EN_TERMINAL_PANE } from '../strings/en-terminal-pane.ts';
import { formatDuration } from '../ui/format.ts';
import { durationOf } from './block-list.ts';

/** `exit 1 · 4.2 s`, in words where there is no number. */
export function describeEnd(block: Pick<Block, 'exit_code' | 'status' | 'ts_begin' | 'ts_end'>): string {
  const duration = durationOf(block);
  const end = block.exit_code === null ? EN_TERMINAL_PANE.status[block.status] : en.transcript.exit(block.exit_code);
  return duration === null ? end : `${end} · ${formatDuration(duration)}`;
}
