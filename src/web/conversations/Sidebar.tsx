/** Conversations by project, with what each is doing. */
import { ChevronDown, ChevronRight, PanelLeftClose, Plus, Search, Settings } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { boundSidebar, DEFAULT_SIDEBAR_WIDTH, MAX_SIDEBAR_WIDTH, MIN_SIDEBAR_WIDTH } from '../drawer/drawer-width.ts';
import { Edge } from '../drawer/Edge.tsx';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { projectName } from '../ui/format.ts';
import { Guard } from '../ui/Guard.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Mark } from '../ui/Mark.tsx';
import { ArchivedList } from './ArchivedList.tsx';
import { ConversationItem } from './ConversationItem.tsx';
import { type Group, groupConversations } from './group-conversations.ts';
import styles from './Sidebar.module.css';

const FoundList = lazyPart((later) => later.FoundList);

/** Of directories that were folded long ago, as many are remembered. */
const MAX_FOLDED = 100;

export function Sidebar() {
  const [query, setQuery] = useState('');
  const { startNew, show, setDevice } = useCommands();
  const width = useApp((state) => state.device.sidebarWidth);
  const frame = useRef<HTMLElement>(null);
  // The width is the reader's own, so it cannot be in a style sheet; a property set from code is no inline style to the policy.
  useEffect(() => frame.current?.parentElement?.style.setProperty('--sidebar', `${width}px`), [width]);
  return (
    <aside ref={frame} className={styles.sidebar} aria-label={en.sidebar.label}>
      <Edge
        name={en.sidebar.resize}
        side="left"
        width={width}
        min={MIN_SIDEBAR_WIDTH}
        max={MAX_SIDEBAR_WIDTH}
        onWidth={(sidebarWidth) => setDevice({ sidebarWidth: boundSidebar(sidebarWidth) })}
        onReset={() => setDevice({ sidebarWidth: DEFAULT_SIDEBAR_WIDTH })}
      />
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
            startNew();
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
  const folded = useApp((state) => state.device.foldedProjects);
  const { setDevice, startNew } = useCommands();
  const { cwd, rows } = group;
  const name =
    cwd === null ? (group.kind === 'waiting' ? en.sidebar.waitsForYou : en.sidebar.pinned) : projectName(cwd);
  const isFolded = cwd !== null && folded.includes(cwd);
  const toggle = (path: string) =>
    setDevice({
      foldedProjects: isFolded ? folded.filter((one) => one !== path) : [...folded, path].slice(-MAX_FOLDED),
    });
  return (
    <section className={styles.project}>
      <h2 className={classes(styles.title, group.kind === 'waiting' && styles.waiting)}>
        {cwd === null ? (
          name
        ) : (
          <>
            <button
              type="button"
              className={styles.fold}
              title={showName(cwd)}
              aria-expanded={!isFolded}
              onClick={() => toggle(cwd)}
            >
              {isFolded ? <ChevronRight size={12} aria-hidden /> : <ChevronDown size={12} aria-hidden />}
              <span className={styles.projectName}>{showName(name)}</span>
              {isFolded && <span className={styles.hidden}>{en.sidebar.folded(rows.length)}</span>}
            </button>
            <Button
              tone="quiet"
              className={styles.add}
              icon={<Plus size={14} />}
              name={en.sidebar.newIn(showName(name))}
              onClick={() => startNew(cwd)}
            />
          </>
        )}
      </h2>
      {!isFolded && (
        <ul>
          {rows.map((row) => (
            <Guard key={row.id} of={row} fallback={() => <li>{en.sidebar.untitled}</li>}>
              <ConversationItem row={row} />
            </Guard>
          ))}
        </ul>
      )}
    </section>
  );
}
