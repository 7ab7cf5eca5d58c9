/** One hit: who said it, when, and the words around it. */
import type { Hit } from '../../contract/routes-search.ts';
import { en } from '../strings/en.ts';
import { showName, showText } from '../transcript/ansi.ts';
import { classes } from '../ui/classes.ts';
import { formatAgo, formatExact } from '../ui/format.ts';
import styles from './HitRow.module.css';

interface HitRowProps {
  readonly hit: Hit;
  readonly isCurrent?: boolean;
  /** Above the snippet, where hits of several conversations are listed. */
  readonly title?: string;
  readonly onPick: () => void;
}

const oneLine = (text: string): string => showText(text).replaceAll(/\s+/g, ' ');

export function HitRow({ hit, isCurrent = false, title, onPick }: HitRowProps) {
  return (
    <button
      type="button"
      className={classes(styles.hit, isCurrent && styles.current)}
      aria-current={isCurrent ? 'true' : undefined}
      ref={(element) => {
        if (isCurrent) element?.scrollIntoView({ block: 'nearest' });
      }}
      onClick={onPick}
    >
      <span className={styles.head}>
        <span className={styles.who}>{title === undefined ? en.find.roles[hit.role] : showName(title)}</span>
        <time dateTime={hit.ts} title={formatExact(hit.ts)}>
          {formatAgo(hit.ts, Date.now())}
        </time>
      </span>
      <span className={styles.words}>
        {oneLine(hit.snippet.before)}
        <mark className={styles.match}>{oneLine(hit.snippet.match)}</mark>
        {oneLine(hit.snippet.after)}
      </span>
    </button>
  );
}
