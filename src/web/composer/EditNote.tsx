/** Above the message box while an earlier message is edited: what sending will do, and the way out. */
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import styles from './GoesAlong.module.css';

export function EditNote({ turns, onCancel }: { readonly turns: number; readonly onCancel: () => void }) {
  return (
    <div className={styles.edit} role="status">
      <span>{en.message.editing(turns)}</span>
      <Button onClick={onCancel}>{en.message.keep}</Button>
    </div>
  );
}
