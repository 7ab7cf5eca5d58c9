/** On the card of a command: what of it still runs, and End. Nothing if all of it has ended. */
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import styles from './EndButton.module.css';

interface EndButtonProps {
  readonly itemId: string | undefined;
  /** The name of the command, for the button. */
  readonly command: string;
  /** Codex has not reported the end of the command. */
  readonly isRunning: boolean;
}

export function EndButton({ itemId, command, isRunning }: EndButtonProps) {
  const openId = useApp((state) => state.openId);
  const running = useApp((state) => state.view.live.running.find((one) => one.item_id === itemId));
  const { endRunning } = useCommands();
  if (openId === null || itemId === undefined || (!isRunning && running === undefined)) return null;
  const state = running?.state ?? 'running';
  const isEnding = state === 'ending' || state === 'killing';
  return (
    <span className={styles.act} data-running={state}>
      {(!isRunning || state !== 'running') && (
        <span className={state === 'not_ended' ? styles.bad : styles.state}>{en.runs.states[state]}</span>
      )}
      {!isEnding && (
        <Button
          className={styles.button}
          aria-label={en.runs.endCommand(command)}
          onClick={() => void endRunning(openId, [itemId])}
        >
          {state === 'not_ended' ? en.runs.endAgain : en.runs.end}
        </Button>
      )}
    </span>
  );
}
