/** The open drawer: its head with a tab for each panel, the open panel, and on demand a second one under it. */
import { Rows2, X } from 'lucide-react';
import { Suspense, useEffect, useRef, useSyncExternalStore } from 'react';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import { CrashGuard } from '../ui/CrashGuard.tsx';
import { classes } from '../ui/classes.ts';
import styles from './Drawer.module.css';
import {
  boundWidth,
  DEFAULT_DRAWER_WIDTH,
  type DrawerPlace,
  MIN_CONVERSATION_WIDTH,
  MIN_DRAWER_WIDTH,
  MIN_TWO_PANES,
  placeDrawer,
} from './drawer-width.ts';
import { Edge } from './Edge.tsx';
import type { Panel } from './panels.tsx';
import { SplitEdge } from './SplitEdge.tsx';

interface OpenDrawerProps {
  readonly panel: Panel;
  readonly panels: readonly Panel[];
}

export function OpenDrawer({ panel, panels }: OpenDrawerProps) {
  const { isOver, width, max } = useDrawerPlace();
  const belowId = useApp((state) => state.device.drawerBelow);
  const share = useApp((state) => state.device.drawerShare);
  const { setDevice } = useCommands();
  const others = panels.filter((one) => one !== panel);
  const below = others.find(({ id }) => id === belowId);
  const frame = useRef<HTMLElement>(null);
  // The sizes are the reader's own, so they cannot be in a style sheet; a property set from code is no inline style to the policy.
  useEffect(() => frame.current?.style.setProperty('--drawer-width', `${width}px`), [width]);
  useEffect(() => frame.current?.style.setProperty('--upper-share', `${share}`), [share]);
  return (
    <section ref={frame} className={classes(styles.drawer, isOver && styles.over)} aria-label={en.drawer.label}>
      <Edge
        name={en.drawer.resize}
        side="right"
        width={width}
        min={MIN_DRAWER_WIDTH}
        max={max}
        onWidth={(drawerWidth) => setDevice({ drawerWidth: boundWidth(drawerWidth) })}
        onReset={() => setDevice({ drawerWidth: DEFAULT_DRAWER_WIDTH })}
      />
      <header className={styles.head}>
        <span className={styles.tabs}>
          {panels.map((one) => (
            <Tab key={one.id} panel={one} isOpen={one === panel} onOpen={() => setDevice({ drawer: one.id })} />
          ))}
        </span>
        {others.length > 0 && below === undefined && (
          <Button
            tone="quiet"
            className={styles.split}
            icon={<Rows2 size={16} />}
            name={en.drawer.split}
            onClick={() => setDevice({ drawerBelow: others[0]?.id ?? null })}
          />
        )}
        <Button
          tone="quiet"
          icon={<X size={16} />}
          name={en.drawer.close}
          onClick={() => {
            setDevice({ drawer: null });
            document.getElementById('composer')?.focus();
          }}
        />
      </header>
      <div className={classes(styles.body, below !== undefined && styles.upper)}>
        <Body panel={panel} />
      </div>
      {below !== undefined && (
        <section className={styles.below} aria-label={en.drawer.below}>
          <SplitEdge />
          <header className={classes(styles.head, styles.belowHead)}>
            <span className={styles.tabs}>
              {others.map((one) => (
                <Tab
                  key={one.id}
                  panel={one}
                  isOpen={one === below}
                  onOpen={() => setDevice({ drawerBelow: one.id })}
                />
              ))}
            </span>
            <Button
              tone="quiet"
              icon={<X size={16} />}
              name={en.drawer.closeBelow}
              onClick={() => setDevice({ drawerBelow: null })}
            />
          </header>
          <div className={styles.body}>
            <Body panel={below} />
          </div>
        </section>
      )}
    </section>
  );
}

function Body({ panel }: { readonly panel: Panel }) {
  const conversationId = useApp((state) => state.openId);
  return (
    <CrashGuard key={`${panel.id}-${panel.needsConversation ? conversationId : ''}`}>
      <Suspense fallback={<p className={styles.loading}>{en.loading}</p>}>
        <panel.Body conversationId={conversationId} />
      </Suspense>
    </CrashGuard>
  );
}

/** Decided anew when the window, the list of conversations or the drawer changes its width. */
function useDrawerPlace(): DrawerPlace {
  const window = useSyncExternalStore(onResize, () => innerWidth);
  const sidebar = useApp(({ device }) => (device.isSidebarShown ? device.sidebarWidth : 0));
  const wanted = useApp(({ device }) => device.drawerWidth);
  const isBeside = useApp((state) => state.beside !== null) && window >= MIN_TWO_PANES;
  return placeDrawer(window, sidebar + (isBeside ? MIN_CONVERSATION_WIDTH : 0), wanted);
}

function onResize(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}

interface TabProps {
  readonly panel: Panel;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Tab({ panel, isOpen, onOpen }: TabProps) {
  const count = useApp((state) => panel.count?.(state) ?? 0);
  return (
    <button type="button" className={classes(styles.tab, isOpen && styles.open)} aria-pressed={isOpen} onClick={onOpen}>
      {panel.icon}
      <span className={styles.name}>{panel.name}</span>
      {count > 0 && <span className={styles.count}>{count}</span>}
    </button>
  );
}
