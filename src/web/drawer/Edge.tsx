/** An edge between two parts of the page: dragged, or moved by the arrow keys, it changes the width of one of them. */
import type { KeyboardEvent, PointerEvent } from 'react';
import { classes } from '../ui/classes.ts';
import styles from './Drawer.module.css';

const KEY_STEP = 24;

interface EdgeProps {
  readonly name: string;
  /** On which side of the page the part lies. */
  readonly side: 'left' | 'right';
  readonly width: number;
  readonly min: number;
  readonly max: number;
  readonly onWidth: (width: number) => void;
  /** A double click, or Enter, gives the width back that the part has at first. */
  readonly onReset: () => void;
}

export function Edge({ name, side, width, min, max, onWidth, onReset }: EdgeProps) {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const part = event.currentTarget.parentElement?.getBoundingClientRect();
    if (part !== undefined) onWidth(side === 'right' ? part.right - event.clientX : event.clientX - part.left);
  };
  const towards = side === 'right' ? -1 : 1;
  const step = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = {
      ArrowLeft: width - towards * KEY_STEP,
      ArrowRight: width + towards * KEY_STEP,
      Home: min,
      End: max,
    }[event.key];
    if (next === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    if (next === undefined) onReset();
    else onWidth(Math.min(max, Math.max(min, next)));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be dragged or focused
    <div
      role="separator"
      tabIndex={0}
      className={classes(styles.edge, side === 'left' && styles.left)}
      aria-orientation="vertical"
      aria-label={name}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={step}
      onDoubleClick={onReset}
    />
  );
}
