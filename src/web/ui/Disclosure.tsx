/** A card with one line that says what happened, and more below it on demand. */
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './Disclosure.module.css';

interface DisclosureProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly head: ReactNode;
  /** Right end of the line: exit code, duration, counts. */
  readonly facts?: ReactNode;
  /** Beside the line, outside the button that opens the card: acts on what the card shows. */
  readonly act?: ReactNode;
  readonly children?: ReactNode;
  readonly edge?: 'accent' | 'stop' | 'none' | 'dashed';
  readonly name?: string;
}

export function Disclosure({ isOpen, onToggle, head, facts, act, children, edge = 'accent', name }: DisclosureProps) {
  return (
    <div className={classes(styles.card, styles[edge], isOpen && styles.open)}>
      <div className={styles.line}>
        <button type="button" className={styles.head} aria-expanded={isOpen} aria-label={name} onClick={onToggle}>
          <ChevronRight size={14} className={styles.arrow} aria-hidden />
          <span className={styles.what}>{head}</span>
          {facts !== undefined && <span className={styles.facts}>{facts}</span>}
        </button>
        {act}
      </div>
      {isOpen && children}
    </div>
  );
}
