/** The header's buttons for the drawer's panels, with what waits in each; where there is no room for all, one for the drawer. */
import { PanelRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIsCollapsed } from '../header/use-collapsed.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import styles from './Drawer.module.css';
import { type Panel, useOfferedPanels } from './panels.tsx';

export function DrawerButtons() {
  const panels = useOfferedPanels();
  const isOne = useIsCollapsed('panels');
  if (panels.length === 0) return null;
  return (
    <>
      <span data-part="panels" className={classes(styles.each, isOne && styles.unseen)}>
        {panels.map((panel) => (
          <PanelButton key={panel.id} panel={panel} />
        ))}
      </span>
      <span data-part="one-panel" className={classes(styles.all, !isOne && styles.unseen)}>
        <WholeButton panels={panels} />
      </span>
    </>
  );
}

/** Opens where something waits, else at the first panel. */
function WholeButton({ panels }: { readonly panels: readonly Panel[] }) {
  const waiting = useApp(
    (state) => panels.find((panel) => (panel.count?.(state) ?? 0) > 0)?.id ?? panels[0]?.id ?? null,
  );
  const count = useApp((state) => panels.reduce((sum, panel) => sum + (panel.count?.(state) ?? 0), 0));
  const { setDevice } = useCommands();
  return (
    <Counted count={count}>
      <Button
        tone="quiet"
        icon={<PanelRight size={18} />}
        name={count > 0 ? en.drawer.counted(en.drawer.label, count) : en.drawer.label}
        onClick={() => setDevice({ drawer: waiting })}
      />
    </Counted>
  );
}

function PanelButton({ panel }: { readonly panel: Panel }) {
  const isBelow = useApp(({ device }) => device.drawer !== null && device.drawerBelow === panel.id);
  const isOpen = useApp(({ device }) => device.drawer === panel.id) || isBelow;
  const count = useApp((state) => panel.count?.(state) ?? 0);
  const { setDevice } = useCommands();
  return (
    <Counted count={count}>
      <Button
        tone="quiet"
        aria-pressed={isOpen}
        icon={panel.icon}
        name={count > 0 ? en.drawer.counted(panel.name, count) : panel.name}
        onClick={() => setDevice(isBelow ? { drawerBelow: null } : { drawer: isOpen ? null : panel.id })}
      />
    </Counted>
  );
}

function Counted({ count, children }: { readonly count: number; readonly children: ReactNode }) {
  return (
    <span className={styles.button}>
      {children}
      {count > 0 && (
        <span className={styles.badge} aria-hidden>
          {count > 99 ? '99+' : count}
        </span>
      )}
    </span>
  );
}
