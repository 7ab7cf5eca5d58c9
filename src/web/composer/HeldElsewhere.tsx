/** Above the message box while another program of Codex has the thread open: who it is, and a way to go on here. */
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import styles from './HeldElsewhere.module.css';

export function HeldElsewhere() {
  const openId = useApp((state) => state.openId);
  const holder = useApp((state) => state.view.live.holder);
  const { fork } = useCommands();
  if (openId === null || holder === null) return null;
  return (
    <div className={styles.held} role="status">
      <span className={styles.text}>{en.elsewhere.held(showText(holder.name), holder.pid)}</span>
      <Button title={en.elsewhere.forkHint} onClick={() => void fork(openId)}>
        {en.elsewhere.fork}
      </Button>
    </div>
  );
}
