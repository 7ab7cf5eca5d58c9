/** What keeps the page from working fully, in words, with the one thing to do. */
import { useEffect, useState } from 'react';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import styles from './Banner.module.css';

/** A cut that heals at once is not worth a word. */
const QUIET_MS = 700;

export function Banner() {
  const link = useApp((state) => state.link);
  const codex = useApp((state) => state.codex);
  const warnings = useApp((state) => state.codexWarnings);
  const storage = useApp((state) => state.storage);
  const [read, setRead] = useState<readonly string[]>([]);
  const { startCodex, restartCodex } = useCommands();
  const isLost = useLasting(link === 'lost');
  if (isLost) return <Line tone="caution" text={en.link.lost} />;
  if (storage !== 'ok')
    return <Line tone="stop" text={storage === 'full' ? en.codex.storageFull : en.codex.storageFailed} />;
  if (codex === null) return null;
  if (codex.state === 'ready' && codex.message !== null)
    // It runs and does not answer.
    return (
      <Line tone="caution" text={codex.message}>
        <Button onClick={() => void restartCodex()}>{en.codex.restart}</Button>
      </Line>
    );
  if (codex.state === 'ready') {
    const unread = warnings.filter((text) => !read.includes(text));
    return unread.length === 0 ? null : (
      <Line tone="caution" className={styles.warning} text={showText(en.codex.warns(unread))}>
        <Button onClick={() => setRead(warnings)}>{en.codex.hideWarning}</Button>
      </Line>
    );
  }
  const isDown = codex.state === 'failed' || codex.state === 'stopped';
  return (
    <Line tone={codex.state === 'failed' ? 'stop' : 'caution'} text={codex.message ?? en.codex[codex.state]}>
      {isDown && <Button onClick={() => void startCodex()}>{en.codex.start}</Button>}
    </Line>
  );
}

interface LineProps {
  readonly tone: 'caution' | 'stop';
  readonly text: string;
  readonly className?: string | undefined;
  readonly children?: React.ReactNode;
}

function Line({ tone, text, className, children }: LineProps) {
  return (
    <div className={classes(styles.banner, styles[tone], className)} role="status">
      <span>{text}</span>
      {children}
    </div>
  );
}

function useLasting(isNow: boolean): boolean {
  const [isLasting, setLasting] = useState(false);
  useEffect(() => {
    if (!isNow) {
      setLasting(false);
      return;
    }
    const timer = setTimeout(() => setLasting(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isNow]);
  return isNow && isLasting;
}
