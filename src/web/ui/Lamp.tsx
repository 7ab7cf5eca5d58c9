/** The signal lamp: the same color and shape mean the same thing everywhere, and it always has a word. */
import { classes } from './classes.ts';
import styles from './Lamp.module.css';

export type LampState = 'off' | 'draft' | 'running' | 'waiting' | 'success' | 'error' | 'warning' | 'unread';

export function Lamp({ state, name }: { readonly state: LampState; readonly name: string }) {
  return <span role="img" aria-label={name} title={name} className={classes(styles.lamp, styles[state])} />;
}
