/** What is in the trash, below the archive: how to get it back once the notice with Undo is gone. */
import { useEffect, useState } from 'react';
import type { DeletedRow } from '../../contract/conversation.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_TRASH } from '../strings/en-trash.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { formatAgo, formatExact } from '../ui/format.ts';
import styles from './ArchivedList.module.css';
import { nameOf } from './group-conversations.ts';

export function DeletedRows() {
  const { listDeleted, restore } = useCommands();
  const [rows, setRows] = useState<readonly DeletedRow[]>([]);
  // What is deleted or restored, here or on another page, leaves or enters the list.
  const count = useApp((state) => state.list.size);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the number of conversations changes
  useEffect(() => {
    let isCurrent = true;
    void listDeleted().then((read) => isCurrent && setRows(read?.conversations ?? []));
    return () => {
      isCurrent = false;
    };
  }, [listDeleted, count]);
  if (rows.length === 0) return null;
  return (
    <section aria-label={EN_TRASH.title}>
      <h2 className={styles.deleted}>{EN_TRASH.title}</h2>
      <p className={styles.note}>{EN_TRASH.note}</p>
      <ul>
        {rows.map((row) => {
          const name = showName(nameOf(row) ?? en.sidebar.untitled);
          return (
            <li key={row.id} className={styles.trashed}>
              <span className={styles.name} title={`${name}\n${showName(row.cwd)}`}>
                {name}
              </span>
              <time className={styles.when} dateTime={row.deleted_at} title={formatExact(row.deleted_at)}>
                {formatAgo(row.deleted_at, Date.now())}
              </time>
              <Button tone="quiet" aria-label={EN_TRASH.restoreOne(name)} onClick={() => void restore(row.id)}>
                {EN_TRASH.restore}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
