/** One box for every act and every conversation. */
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useApp, useCommands, useGetState } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showName } from '../transcript/ansi.ts';
import { classes } from '../ui/classes.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { takeHeldText } from '../ui/HeldKeys.tsx';
import styles from './Palette.module.css';
import { matchItems, type PaletteItem, paletteItems } from './palette-items.ts';

const MAX_SHOWN = 40;

export function Palette() {
  const commands = useCommands();
  const getState = useGetState();
  const id = useId();
  const [query, setQuery] = useState(takeHeldText);
  const [chosen, setChosen] = useState(0);
  const list = useApp((state) => state.list);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what comes while the palette is open is offered too
  const items = useMemo(() => paletteItems(getState(), commands), [getState, commands, list]);
  const found = matchItems(items, query).slice(0, MAX_SHOWN);
  const current = found[Math.min(chosen, found.length - 1)];

  function run(item: PaletteItem): void {
    commands.show('none');
    item.run();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setChosen((at) => (Math.min(at, found.length - 1) + by + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing && current !== undefined) {
      event.preventDefault();
      run(current);
    }
  }

  return (
    <Dialog title={en.palette.label} hasHead={false} onClose={() => commands.show('none')}>
      <input
        className={styles.query}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={current === undefined ? undefined : `${id}-${current.key}`}
        aria-label={en.palette.label}
        placeholder={en.palette.placeholder}
        autoFocus
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label={en.palette.label} className={styles.list}>
        {found.map((item) => (
          <button
            key={item.key}
            id={`${id}-${item.key}`}
            ref={(element) => {
              if (item === current) element?.scrollIntoView({ block: 'nearest' });
            }}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={item === current}
            className={classes(styles.item, item === current && styles.current)}
            onClick={() => run(item)}
          >
            <span className={styles.label}>{showName(item.label)}</span>
            <span className={styles.hint}>{showName(item.hint)}</span>
          </button>
        ))}
        {found.length === 0 && <p className={styles.nothing}>{en.palette.nothing}</p>}
      </div>
    </Dialog>
  );
}
