/** Renaming by keyboard, from the palette. */
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { nameOf } from './group-conversations.ts';
import styles from './NameField.module.css';
import { NameField } from './NameField.tsx';

export function RenameDialog() {
  const row = useApp((state) => (state.openId === null ? undefined : state.list.get(state.openId)));
  const { show, patch } = useCommands();
  if (row === undefined) return null;
  return (
    <Dialog title={en.rename.title} onClose={() => show('none')}>
      <div className={styles.dialog}>
        <NameField
          name={nameOf(row) ?? ''}
          onDone={(label) => {
            show('none');
            if (label !== null) void patch(row.id, { label: label === '' ? null : label });
          }}
        />
      </div>
    </Dialog>
  );
}
