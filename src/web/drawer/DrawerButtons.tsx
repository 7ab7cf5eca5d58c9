/** The header's buttons for the drawer's panels, with what waits in each. */
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import styles from './Drawer.module.css';
import { offeredPanels, type Panel } from './panels.tsx';

export function DrawerButtons() {
  const conversationId = useApp((state) => state.openId);
  return offeredPanels(conversationId).map((panel) => <PanelButton key={panel.id} panel={panel} />);
}

function PanelButton({ panel }: { readonly panel: Panel }) {
  const isOpen = useApp((state) => state.device.drawer === panel.id);
  const count = useApp((state) => panel.count?.(state) ?? 0);
  const { setDevice } = useCommands();
  return (
    <span className={styles.button}>
      <Button
        tone="quiet"
        aria-pressed={isOpen}
        icon={panel.icon}
        name={count > 0 ? en.drawer.counted(panel.name, count) : panel.name}
        onClick={() => setDevice({ drawer: isOpen ? null : panel.id })}
      />
      {count > 0 && (
        <span className={styles.badge} aria-hidden>
          {count > 99 ? '99+' : count}
        </span>
      )}
    </span>
  );
}
