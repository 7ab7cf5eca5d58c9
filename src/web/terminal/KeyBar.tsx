/** Keys a phone's keyboard does not have. */
import { EN_TERMINAL_PANE } from '../strings/en-terminal-pane.ts';
import { BAR_KEYS } from './key-bytes.ts';
import styles from './TerminalPane.module.css';
import type { TerminalView } from './terminal-view.ts';
import { useShown } from './use-shown.ts';

export function KeyBar({ view }: { readonly view: TerminalView }) {
  const isControlHeld = useShown(view, (shown) => shown.isControlHeld);
  return (
    <div className={styles.keys} role="toolbar" aria-label={EN_TERMINAL_PANE.keys}>
      <button
        type="button"
        className={styles.key}
        aria-pressed={isControlHeld}
        // The screen must not lose its focus, nor the phone its keyboard.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => {
          view.holdControl(!isControlHeld);
          view.screen.focus();
        }}
      >
        {EN_TERMINAL_PANE.control}
      </button>
      {BAR_KEYS.map((key) => (
        <button
          key={key}
          type="button"
          className={styles.key}
          aria-label={EN_TERMINAL_PANE.keyNames[key]}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => view.press(key)}
        >
          {EN_TERMINAL_PANE.key[key]}
        </button>
      ))}
    </div>
  );
}
