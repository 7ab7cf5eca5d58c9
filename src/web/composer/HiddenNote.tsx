/** Before a message is sent: says that the text holds characters nobody can see, which pasted text may carry, and removes them on request. */
import { countHidden, withoutHidden } from '../../core/text/hidden.ts';
import { en } from '../strings/en.ts';
import styles from './GoesAlong.module.css';

interface HiddenNoteProps {
  readonly text: string;
  readonly onClean: (text: string) => void;
}

export function HiddenNote({ text, onClean }: HiddenNoteProps) {
  const count = countHidden(text);
  if (count === 0) return null;
  return (
    <p className={styles.line} role="status">
      <span>{en.composer.hidden(count)}</span>
      <button type="button" className={styles.change} onClick={() => onClean(withoutHidden(text))}>
        {en.composer.removeHidden}
      </button>
    </p>
  );
}
