/** Under a command of the shared terminal: run it again, ask about it, copy it. */
import { Copy, MessageSquareQuote, RotateCw } from 'lucide-react';
import type { BlockId } from '../../contract/terminal.ts';
import { useApp } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { useBlockActs } from '../terminal/use-block-acts.ts';
import { Button } from '../ui/Button.tsx';
import styles from './CommandCard.module.css';
import type { CommandShown } from './command-shown.ts';

export function BlockActions({ blockId, shown }: { readonly blockId: BlockId; readonly shown: CommandShown }) {
  const conversationId = useApp((state) => state.openId ?? '');
  const isRunning = shown.status === 'running';
  const acts = useBlockActs(conversationId, { block_id: blockId, cmd: shown.command });
  return (
    <div className={styles.acts}>
      <Button tone="quiet" disabled={isRunning} onClick={() => void acts.rerun()}>
        <RotateCw size={14} aria-hidden />
        {en.terminal.rerun}
      </Button>
      <Button tone="quiet" onClick={() => void acts.ask()}>
        <MessageSquareQuote size={14} aria-hidden />
        {en.terminal.ask}
      </Button>
      <Button tone="quiet" disabled={isRunning} onClick={() => void acts.copyOutput()}>
        <Copy size={14} aria-hidden />
        {en.terminal.copyOutput}
      </Button>
    </div>
  );
}
