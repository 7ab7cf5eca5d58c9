/** Every key the page knows. */
import { ACT_IDS } from '../../contract/page-names.ts';
import { keysOf } from '../../core/page/key-bindings.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_SETTINGS } from '../strings/en-settings.ts';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './ShortcutSheet.module.css';

export function ShortcutSheet() {
  const { show } = useCommands();
  const own = useApp((state) => state.page.keys);
  const bound = ACT_IDS.map((id) => [keysOf(id, own), EN_SETTINGS.acts[id]] as const).filter(([keys]) => keys !== '');
  const rows = [...bound, ...EN_SETTINGS.shortcuts.fixed];
  return (
    <Dialog title={EN_SETTINGS.shortcuts.title} onClose={() => show('none')}>
      <dl className={styles.list}>
        {rows.map(([keys, what]) => (
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
