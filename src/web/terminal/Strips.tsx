/** Between head and screen: what keeps the terminal from working, and what a program wants a person to decide. */
import type { ReactNode } from 'react';
import type { TerminalKey } from '../../contract/terminal.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_TERMINAL_PANE } from '../strings/en-terminal-pane.ts';
import { showExact } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { OutsideLink } from '../ui/OutsideLink.tsx';
import { isWebAddress } from './find-links.ts';
import styles from './TerminalPane.module.css';
import type { TerminalView } from './terminal-view.ts';
import { useShown } from './use-shown.ts';

interface StripsProps {
  readonly terminalKey: TerminalKey;
  readonly view: TerminalView | null;
  readonly failure: string | null;
  readonly onRetry: () => void;
}

export function Strips({ terminalKey, view, failure, onRetry }: StripsProps) {
  if (failure !== null) {
    return (
      <Strip text={failure}>
        <Button onClick={onRetry}>{en.retry}</Button>
      </Strip>
    );
  }
  if (view === null) return null;
  return (
    <>
      <StateStrip terminalKey={terminalKey} view={view} />
      <AskStrip view={view} />
    </>
  );
}

function StateStrip({ terminalKey, view }: { readonly terminalKey: TerminalKey; readonly view: TerminalView }) {
  const link = useShown(view, (shown) => shown.link);
  const exit = useShown(view, (shown) => shown.exit);
  const refusal = useShown(view, (shown) => shown.refusal);
  const unmarked = useShown(view, ({ state }) =>
    state?.has_blocks === false && state.is_running ? state.shell : null,
  );
  const { openTerminal, toast } = useCommands();

  async function start(): Promise<void> {
    const failed = await openTerminal(terminalKey);
    if (failed === null) view.restart();
    else toast({ text: failed.message, tone: 'error' });
  }

  if (exit !== null) {
    return (
      <Strip text={EN_TERMINAL_PANE.ended(exit.exit_code)}>
        <Button onClick={() => void start()}>{EN_TERMINAL_PANE.start}</Button>
      </Strip>
    );
  }
  if (refusal !== null) {
    return (
      <Strip text={refusal}>
        <Button onClick={() => void start()}>{en.retry}</Button>
      </Strip>
    );
  }
  if (link === 'lost') return <Strip text={EN_TERMINAL_PANE.lost} />;
  return unmarked === null ? null : <Strip text={EN_TERMINAL_PANE.noBlocks(showExact(unmarked))} />;
}

/** The whole text first, then the act; nothing is opened or copied before somebody has seen it. */
function AskStrip({ view }: { readonly view: TerminalView }) {
  const ask = useShown(view, (shown) => shown.ask);
  if (ask === null) return null;
  const done = () => {
    view.dismissAsk();
    view.screen.focus();
  };
  const isLink = ask.kind === 'link';
  if (isLink && !isWebAddress(ask.text)) return null;
  return (
    <Strip text={isLink ? EN_TERMINAL_PANE.link : EN_TERMINAL_PANE.clipboard}>
      <code className={styles.asked}>{showExact(ask.text)}</code>
      {isLink && (
        <OutsideLink className={styles.open} href={ask.text} onOpen={done}>
          {EN_TERMINAL_PANE.open}
        </OutsideLink>
      )}
      <Button onClick={() => void navigator.clipboard.writeText(ask.text).then(done)}>{en.copy}</Button>
      <Button tone="quiet" onClick={done}>
        {en.cancel}
      </Button>
    </Strip>
  );
}

function Strip({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.strip} role="status">
      <span className={styles.words}>{text}</span>
      {children}
    </div>
  );
}
