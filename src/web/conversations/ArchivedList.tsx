/** What was archived, read when somebody opens it. */
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import styles from './ArchivedList.module.css';

const ArchivedRows = lazyPart((later) => later.ArchivedRows);

export function ArchivedList() {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles.archived}>
      <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={14} aria-hidden className={classes(styles.arrow, isOpen && styles.down)} />
        {en.archive.show}
      </button>
      {isOpen && <ArchivedRows />}
    </section>
  );
}
