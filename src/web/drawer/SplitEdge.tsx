/** The edge between the two panels of the drawer: dragged, or moved by the arrow keys, it gives one of them more of the height. */
import type { KeyboardEvent, PointerEvent } from 'react';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import styles from './Drawer.module.css';
import { boundShare, DEFAULT_UPPER_SHARE, MAX_UPPER_SHARE, MIN_UPPER_SHARE } from './drawer-width.ts';

/** In percent of the height. */
const KEY_STEP = 5;

export function SplitEdge() {
  const share = useApp((state) => state.device.drawerShare);
  const { setDevice } = useCommands();
  const move = (next: number) => setDevice({ drawerShare: boundShare(next) });

  function drag(event: PointerEvent<HTMLDivElement>): void {
    const drawer = event.currentTarget.parentElement?.parentElement?.getBoundingClientRect();
    if (drawer === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    move((100 * (event.clientY - drawer.top)) / drawer.height);
  }

  function step(event: KeyboardEvent<HTMLDivElement>): void {
    const next = {
      ArrowUp: share - KEY_STEP,
      ArrowDown: share + KEY_STEP,
      Home: MIN_UPPER_SHARE,
      End: MAX_UPPER_SHARE,
      Enter: DEFAULT_UPPER_SHARE,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move(next);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be dragged or focused
    <div
      role="separator"
      tabIndex={0}
      className={styles.splitEdge}
      aria-orientation="horizontal"
      aria-label={en.drawer.resizeBelow}
      aria-valuenow={share}
      aria-valuemin={MIN_UPPER_SHARE}
      aria-valuemax={MAX_UPPER_SHARE}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={step}
      onDoubleClick={() => move(DEFAULT_UPPER_SHARE)}
    />
  );
}
