/** The archived conversations, read when the list is opened. */
import { useEffect, useState } from 'react';
import type { ConversationRow } from '../../contract/conversation.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import styles from './ArchivedList.module.css';
import { ConversationItem } from './ConversationItem.tsx';
import { DeletedRows } from './DeletedRows.tsx';

/** With the trash below it. */
export function ArchivedRows() {
  return (
    <>
      <Archived />
      <DeletedRows />
    </>
  );
}

function Archived() {
  const { listArchived } = useCommands();
  const list = useApp((state) => state.list);
  const [read, setRead] = useState<readonly ConversationRow[] | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void listArchived().then((rows) => isCurrent && setRead(rows ?? []));
    return () => {
      isCurrent = false;
    };
  }, [listArchived]);
  if (read === null) return <p className={styles.note}>{en.loading}</p>;
  // What changed since is told to the whole list: it knows better.
  const rows = new Map(read.map((row) => [row.id, row]));
  for (const row of list.values()) if (row.archived || rows.has(row.id)) rows.set(row.id, row);
  const shown = [...rows.values()].filter((row) => row.archived);
  if (shown.length === 0) return <p className={styles.note}>{en.archive.empty}</p>;
  return (
    <ul>
      {shown.map((row) => (
        <ConversationItem key={row.id} row={row} />
      ))}
    </ul>
  );
}
