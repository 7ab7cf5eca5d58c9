/** The right side: one panel at a time, beside the conversation on a wide screen and over it on a phone. */
import { X } from 'lucide-react';
import { Suspense, useEffect, useRef } from 'react';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import { CrashGuard } from '../ui/CrashGuard.tsx';
import { classes } from '../ui/classes.ts';
import styles from './Drawer.module.css';
import { Edge } from './Edge.tsx';
import { offeredPanels, type Panel } from './panels.tsx';

export function Drawer() {
  const conversationId = useApp((state) => state.openId);
  const openPanel = useApp((state) => state.device.drawer);
  const panels = offeredPanels(conversationId);
  const panel = panels.find(({ id }) => id === openPanel);
  if (panel === undefined) return null;
  return <Shown panel={panel} panels={panels} />;
}

function Shown({ panel, panels }: { readonly panel: Panel; readonly panels: readonly Panel[] }) {
  const conversationId = useApp((state) => state.openId);
  const width = useApp((state) => state.device.drawerWidth);
  const { setDevice } = useCommands();
  const frame = useRef<HTMLElement>(null);
  // The size is the reader's own, so it cannot be in a style sheet; a property set from code is no inline style to the policy.
  useEffect(() => frame.current?.style.setProperty('--drawer-width', `${width}px`), [width]);
  return (
    <section ref={frame} className={styles.drawer} aria-label={en.drawer.label}>
      <Edge width={width} onWidth={(drawerWidth) => setDevice({ drawerWidth })} />
      <header className={styles.head}>
        {panels.map((one) => (
          <Tab key={one.id} panel={one} isOpen={one === panel} />
        ))}
        <span className={styles.grow} />
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
      <div className={styles.body}>
        <CrashGuard key={`${panel.id}-${panel.needsConversation ? conversationId : ''}`}>
          <Suspense fallback={<p className={styles.loading}>{en.loading}</p>}>
            <panel.Body conversationId={conversationId} />
          </Suspense>
        </CrashGuard>
      </div>
    </section>
  );
}

function Tab({ panel, isOpen }: { readonly panel: Panel; readonly isOpen: boolean }) {
  const count = useApp((state) => panel.count?.(state) ?? 0);
  const { setDevice } = useCommands();
  return (
    <button
      type="button"
      className={classes(styles.tab, isOpen && styles.open)}
      aria-pressed={isOpen}
      onClick={() => setDevice({ drawer: panel.id })}
    >
      {panel.icon}
      <span className={styles.name}>{panel.name}</span>
      {count > 0 && <span className={styles.count}>{count}</span>}
    </button>
  );
}
