/** The account in a dialog of its own, reachable from the ribbon, the palette and the settings. */
import { useEffect } from 'react';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './AccountPanel.module.css';
import { AccountPanel } from './AccountPanel.tsx';

export function AccountDialog() {
  const { show, readAccount } = useCommands();
  useEffect(() => void readAccount(), [readAccount]);
  return (
    <Dialog title={en.account.title} onClose={() => show('none')}>
      <div className={styles.dialog}>
        <AccountPanel />
      </div>
    </Dialog>
  );
}
