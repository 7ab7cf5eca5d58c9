/** What can be done with a command of the terminal, wherever it is shown. */
import type { Block, TerminalKey } from '../../contract/terminal.ts';
import { nameOfTerminal } from '../../core/terminal/terminal-key.ts';
import { useCommands } from '../state/use-app.ts';
import { stripAnsi } from '../transcript/ansi.ts';

export function useBlockActs(terminalKey: TerminalKey, block: Pick<Block, 'block_id' | 'cmd'>) {
  const { id: conversationId } = nameOfTerminal(terminalKey);
  const { readWholeOutput, runAgain, setAsked, toast, setShellMode, showTerminal } = useCommands();
  // Nothing is said when it worked: a note would lie over the terminal.
  const copy = (text: string): Promise<void> => navigator.clipboard.writeText(text);
  return {
    copyCommand: () => void copy(block.cmd),
    copyOutput: async () => {
      const read = await readWholeOutput(terminalKey, block.block_id);
      if (read.ok) await copy(stripAnsi(read.value));
      else toast({ text: read.error.message, tone: 'error' });
    },
    rerun: async () => {
      const failed = await runAgain(terminalKey, block.cmd);
      if (failed !== null) toast({ text: failed.message, tone: 'error' });
    },
    ask: async () => {
      setShellMode(false);
      // There the terminal lies over the message box.
      if (matchMedia('(max-width: 700px)').matches) showTerminal(false);
      await setAsked(conversationId, block.block_id, true, terminalKey);
      document.getElementById('composer')?.focus();
    },
  };
}
