/** The line above the screen: where the shell is, jumping between commands, the list, finding, options, closing. */
import { ArrowDown, ArrowUp, Ellipsis, History, Plus, Search } from 'lucide-react';
import { fontSizeWithin } from '../state/device.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_TERMINAL_PANE } from '../strings/en-terminal-pane.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { middleCut } from '../ui/format.ts';
import { Menu } from '../ui/Menu.tsx';
import type { PanePanel } from './pane-panel.ts';
import styles from './TerminalPane.module.css';
import type { TerminalView } from './terminal-view.ts';
import { useShown } from './use-shown.ts';

interface PaneHeadProps {
  readonly view: TerminalView | null;
  readonly panel: PanePanel;
  readonly onPanel: (panel: PanePanel) => void;
  readonly onJump: (by: 1 | -1) => void;
  /** Another terminal beside the only one; null where there are tabs. */
  readonly onAdd: (() => void) | null;
}

const MAX_CWD_CHARS = 40;

export function PaneHead({ view, panel, onPanel, onJump, onAdd }: PaneHeadProps) {
  const toggle = (one: PanePanel) => onPanel(panel === one ? 'none' : one);
  return (
    <div className={styles.head}>
      {view === null ? <span className={styles.cwd} /> : <Cwd view={view} />}
      <Button tone="quiet" icon={<ArrowUp size={16} />} name={EN_TERMINAL_PANE.previous} onClick={() => onJump(-1)} />
      <Button tone="quiet" icon={<ArrowDown size={16} />} name={EN_TERMINAL_PANE.next} onClick={() => onJump(1)} />
      <Button
        tone="quiet"
        aria-pressed={panel === 'commands'}
        icon={<History size={16} />}
        name={EN_TERMINAL_PANE.commands}
        onClick={() => toggle('commands')}
      />
      <Button
        tone="quiet"
        aria-pressed={panel === 'find'}
        icon={<Search size={16} />}
        name={EN_TERMINAL_PANE.find}
        onClick={() => toggle('find')}
      />
      {onAdd !== null && <Button tone="quiet" icon={<Plus size={16} />} name={EN_TERMINAL_PANE.add} onClick={onAdd} />}
      <Options />
    </div>
  );
}

function Cwd({ view }: { readonly view: TerminalView }) {
  const cwd = useShown(view, (shown) => shown.state?.cwd ?? '');
  return (
    <span className={styles.cwd} title={showName(cwd)}>
      {showName(middleCut(cwd, MAX_CWD_CHARS))}
    </span>
  );
}

function Options() {
  const device = useApp((state) => state.device);
  const { setDevice } = useCommands();
  const grow = (by: number) => setDevice({ terminalFontSize: fontSizeWithin(device.terminalFontSize + by) });
  return (
    <Menu
      name={EN_TERMINAL_PANE.options}
      className={styles.menu}
      trigger={<Ellipsis size={16} aria-hidden />}
      groups={[
        {
          items: [
            { key: 'larger', label: EN_TERMINAL_PANE.larger, run: () => grow(1) },
            { key: 'smaller', label: EN_TERMINAL_PANE.smaller, run: () => grow(-1) },
            {
              key: 'spoken',
              label: EN_TERMINAL_PANE.spoken,
              isChecked: device.isTerminalSpoken,
              run: () => setDevice({ isTerminalSpoken: !device.isTerminalSpoken }),
            },
          ],
        },
      ]}
    />
  );
}
