/** What can be done with a command of the terminal: in the gutter, in the list, in the transcript. */
import type { ReactNode } from 'react';
import type { Block, TerminalKey } from '../../contract/terminal.ts';
import { en } from '../strings/en.ts';
import { EN_TERMINAL_PANE } from '../strings/en-terminal-pane.ts';
import { showExact } from '../transcript/ansi.ts';
import { Menu } from '../ui/Menu.tsx';
import { describeEnd } from './describe-end.ts';
import { useBlockActs } from './use-block-acts.ts';

interface BlockMenuProps {
  readonly terminalKey: TerminalKey;
  readonly block: Block;
  readonly trigger: ReactNode;
  readonly className?: string | undefined;
}

/** A name for the ear, not the whole script. */
const MAX_NAME_CHARS = 80;

export function BlockMenu({ terminalKey, block, trigger, className }: BlockMenuProps) {
  const acts = useBlockActs(terminalKey, block);
  const command = showExact(block.cmd).slice(0, MAX_NAME_CHARS);
  const end = describeEnd(block);
  return (
    <Menu
      name={EN_TERMINAL_PANE.mark(command, end)}
      trigger={trigger}
      className={className}
      groups={[
        {
          title: block.actor === 'agent' ? `${end} · ${EN_TERMINAL_PANE.byAgent}` : end,
          items: [
            { key: 'command', label: EN_TERMINAL_PANE.copyCommand, run: acts.copyCommand },
            { key: 'output', label: en.terminal.copyOutput, isDisabled: block.alt_screen, run: acts.copyOutput },
            { key: 'again', label: en.terminal.rerun, isDisabled: block.status === 'running', run: acts.rerun },
            { key: 'ask', label: en.terminal.ask, run: acts.ask },
          ],
        },
      ]}
    />
  );
}
