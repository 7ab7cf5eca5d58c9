/** What went along with a message: a small mark below it, and on demand exactly what the model was given. */

import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import type { EntryOf } from '../../contract/entry.ts';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { describeMark } from './describe-given.ts';
import styles from './SentContext.module.css';
import { useOpen } from './use-open.ts';

const GivenContext = lazyPart((later) => later.GivenContext);

interface SentContextProps {
  readonly rowKey: string;
  readonly entry: EntryOf<'user'>;
}

export function SentContext({ rowKey, entry }: SentContextProps) {
  const [isOpen, toggle] = useOpen(`context:${rowKey}`, false);
  const id = useId();
  const { context: names = [], context_counts: counts = {}, client_message_id: messageId } = entry;
  if (names.length === 0 || messageId === undefined) return null;
  return (
    <div className={styles.context}>
      <button
        type="button"
        className={styles.chip}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={toggle}
      >
        <ChevronRight size={12} className={classes(styles.arrow, isOpen && styles.open)} aria-hidden />
        {en.context.chip(describeMark({ names, counts }))}
      </button>
      {isOpen && (
        <section id={id} className={styles.given} aria-label={en.context.given}>
          <GivenContext messageId={messageId} />
        </section>
      )}
    </div>
  );
}
