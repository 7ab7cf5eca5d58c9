/** The second conversation, beside the first one, with the edge between them. Shown while the window is wide enough for both. */
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { nameOf } from '../conversations/group-conversations.ts';
import { MIN_CONVERSATION_WIDTH, MIN_TWO_PANES, placeDrawer } from '../drawer/drawer-width.ts';
import { Edge } from '../drawer/Edge.tsx';
import { type App, AppContext, useApp, useCommands, useWhole } from '../state/use-app.ts';
import { EN_PANES } from '../strings/en-panes.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import styles from './BesidePane.module.css';
import { createPane } from './create-pane.ts';
import { placeBeside } from './pane-width.ts';

interface BesidePaneProps {
  readonly id: ConversationId;
  /** The conversation itself; given, since its module loads this one. */
  readonly children: ReactNode;
  /** Told what the pane is made of, and null when it is gone. */
  readonly onApp: (app: App | null) => void;
}

export function BesidePane(props: BesidePaneProps) {
  const isWide = useSyncExternalStore(onResize, () => innerWidth >= MIN_TWO_PANES);
  return isWide && <Shown {...props} />;
}

function Shown({ id, children, onApp }: BesidePaneProps) {
  const page = useWhole();
  const [app, setApp] = useState<App | null>(null);
  useEffect(() => {
    const pane = createPane(page, id);
    setApp(pane.app);
    onApp(pane.app);
    return () => {
      pane.close();
      onApp(null);
      // The window became too narrow; whoever closes or changes it decides on the focus.
      if (page.store.getState().beside === id) page.store.setState({ isBesideFocused: false });
    };
  }, [page, id, onApp]);
  return app !== null && <PaneFrame app={app}>{children}</PaneFrame>;
}

function PaneFrame({ app, children }: { readonly app: App; readonly children: ReactNode }) {
  const { setDevice, setBeside } = useCommands();
  const frame = useRef<HTMLElement>(null);
  const { width, max } = useRoom();
  const name = useApp((state) => {
    const row = state.list.get(app.store.getState().openId ?? '');
    return showName((row === undefined ? null : nameOf(row)) ?? EN_PANES.untitled);
  });
  // The width is the reader's own, so it cannot be in a style sheet; a property set from code is no inline style to the policy.
  useEffect(() => frame.current?.style.setProperty('--beside-width', `${width}px`), [width]);
  useFocusedBox();
  return (
    <section ref={frame} data-beside className={styles.frame} aria-label={EN_PANES.label(name)}>
      <Edge
        name={EN_PANES.resize}
        side="right"
        width={width}
        min={MIN_CONVERSATION_WIDTH}
        max={max}
        onWidth={(besideWidth) => setDevice({ besideWidth })}
        onReset={() => setDevice({ besideWidth: 0 })}
      />
      <AppContext value={app}>{children}</AppContext>
      <Button
        tone="quiet"
        className={styles.close}
        icon={<X size={16} />}
        name={EN_PANES.close}
        onClick={() => setBeside(null)}
      />
    </section>
  );
}

/** The message box of the conversation that the keys now act on gets the focus, unless something in it has the focus already. */
function useFocusedBox(): void {
  const isFocused = useApp((state) => state.isBesideFocused);
  const before = useRef(false);
  const { focusPane } = useCommands();
  useEffect(() => {
    if (before.current === isFocused) return;
    before.current = isFocused;
    const box = document.getElementById('composer');
    if (box?.closest('[data-focused]')?.matches(':focus-within') === false) box.focus({ preventScroll: true });
  }, [isFocused]);
  useEffect(() => {
    // A link to the address that is open changes nothing, so the first conversation would not get the focus.
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (link?.getAttribute('href') === location.hash) focusPane();
    };
    document.addEventListener('click', onClick);
    return () => {
      document.removeEventListener('click', onClick);
      document.getElementById('composer')?.focus({ preventScroll: true });
    };
  }, [focusPane]);
}

function useRoom() {
  const window = useSyncExternalStore(onResize, () => innerWidth);
  const device = useApp((state) => state.device);
  const sidebar = device.isSidebarShown ? device.sidebarWidth : 0;
  const drawer = placeDrawer(window, sidebar + MIN_CONVERSATION_WIDTH, device.drawerWidth);
  const taken = device.drawer === null || drawer.isOver ? 0 : drawer.width;
  return placeBeside(window - sidebar - taken, device.besideWidth);
}

function onResize(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}
