/** The drawer's left edge: dragged, or moved by the arrow keys, it changes the width. */
import type { KeyboardEvent, PointerEvent } from 'react';
import { en } from '../strings/en.ts';
import styles from './Drawer.module.css';
import { boundWidth, MAX_DRAWER_WIDTH, MIN_DRAWER_WIDTH } from './drawer-width.ts';

const KEY_STEP = 24;

interface EdgeProps {
  readonly width: number;
  readonly onWidth: (width: number) => void;
}

export function Edge({ width, onWidth }: EdgeProps) {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onWidth(boundWidth(innerWidth - event.clientX));
  };
  const step = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = event.key === 'ArrowLeft' ? KEY_STEP : event.key === 'ArrowRight' ? -KEY_STEP : 0;
    if (by === 0) return;
    event.preventDefault();
    onWidth(boundWidth(width + by));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be dragged or focused
    <div
      role="separator"
      tabIndex={0}
      className={styles.edge}
      aria-orientation="vertical"
      aria-label={en.drawer.resize}
      aria-valuenow={width}
      aria-valuemin={MIN_DRAWER_WIDTH}
      aria-valuemax={MAX_DRAWER_WIDTH}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={step}
    />
  );
}
