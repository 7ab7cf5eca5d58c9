/** Every key the page knows. */
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './ShortcutSheet.module.css';

export function ShortcutSheet() {
  const { show } = useCommands();
  return (
    <Dialog title={en.shortcuts.title} onClose={() => show('none')}>
      <dl className={styles.list}>
        {en.shortcuts.rows.map(([keys, what]) => (
          <div key={keys} className={styles.row}>
            <dt>
              <kbd className={styles.keys}>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
