/** Conversations by project, with what each is doing. */
import { PanelLeftClose, Plus, Search, Settings } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { projectName } from '../ui/format.ts';
import { Guard } from '../ui/Guard.tsx';
import { Mark } from '../ui/Mark.tsx';
import { ArchivedList } from './ArchivedList.tsx';
import { ConversationItem } from './ConversationItem.tsx';
import { FoundList } from './FoundList.tsx';
import { type Group, groupConversations } from './group-conversations.ts';
import styles from './Sidebar.module.css';

export function Sidebar() {
  const [query, setQuery] = useState('');
  const { go, show, setDevice } = useCommands();
  return (
    <aside className={styles.sidebar} aria-label={en.sidebar.label}>
      <div className={styles.top}>
        <Mark size={20} />
        <span className={styles.product}>{en.product}</span>
        <Button
          tone="quiet"
          icon={<PanelLeftClose size={16} />}
          name={en.sidebar.hide}
          onClick={() => {
            show('none');
            if (innerWidth > 700) setDevice({ isSidebarShown: false });
          }}
        />
      </div>
      <div className={styles.search}>
        <Search size={14} aria-hidden />
        <input
          type="search"
          value={query}
          placeholder={en.sidebar.search}
          aria-label={en.sidebar.search}
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      <nav className={styles.list} aria-label={en.sidebar.label}>
        {query.trim() === '' ? (
          <>
            <Conversations />
            <ArchivedList />
          </>
        ) : (
          <FoundList query={query.trim()} />
        )}
      </nav>
      <div className={styles.bottom}>
        <Button
          className={styles.new}
          onClick={() => {
            show('none');
            go(null);
          }}
        >
          <Plus size={16} aria-hidden />
          {en.sidebar.new}
        </Button>
        <Button tone="quiet" icon={<Settings size={16} />} name={en.header.settings} onClick={() => show('settings')} />
      </div>
    </aside>
  );
}

function Conversations() {
  const list = useApp((state) => state.list);
  const listState = useApp((state) => state.listState);
  const hasMore = useApp((state) => state.nextCursor !== null);
  const { loadMoreConversations, refresh } = useCommands();
  const groups = useMemo(() => groupConversations(list.values()), [list]);
  if (listState === 'failed') {
    return (
      <p className={styles.note}>
        {en.sidebar.failed} <Button onClick={() => void refresh()}>{en.retry}</Button>
      </p>
    );
  }
  if (groups.length === 0)
    return <p className={styles.note}>{listState === 'loading' ? en.loading : en.sidebar.empty}</p>;
  return (
    <>
      {groups.map((group) => (
        <Project key={group.key} group={group} />
      ))}
      {hasMore && (
        <Button tone="quiet" onClick={() => void loadMoreConversations()}>
          {en.sidebar.more}
        </Button>
      )}
    </>
  );
}

function Project({ group }: { readonly group: Group }) {
  const title = group.cwd === null ? en.sidebar.pinned : showName(projectName(group.cwd));
  return (
    <section className={styles.project}>
      <h2 className={styles.title} title={group.cwd === null ? undefined : showName(group.cwd)}>
        {title}
      </h2>
      <ul>
        {group.rows.map((row) => (
          <Guard key={row.id} of={row} fallback={() => <li>{en.sidebar.untitled}</li>}>
            <ConversationItem row={row} />
          </Guard>
        ))}
      </ul>
    </section>
  );
}
