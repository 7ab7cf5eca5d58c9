/** The lamp of a command: how it ended, by color and by shape. */
import { Check, Circle, CircleDashed, X } from 'lucide-react';
import { classes } from '../ui/classes.ts';
import styles from './BlockMark.module.css';
import type { BlockTone } from './block-list.ts';

const SHAPES = { running: CircleDashed, good: Check, bad: X, plain: Circle } as const;

export function BlockMark({ tone }: { readonly tone: BlockTone }) {
  const Shape = SHAPES[tone];
  return <Shape size={12} strokeWidth={3} aria-hidden className={classes(styles.mark, styles[tone])} />;
}
