/** One hit: who said it, when, and the words around it. */
import type { Hit } from '../../contract/routes-search.ts';
import { en } from '../strings/en.ts';
import { showName, showText, stripAnsi } from '../transcript/ansi.ts';
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

/** Two lines of the narrow list hold about twice as much: what was found is always among them. */
const LEAD_CHARS = 32;

const oneLine = (text: string): string => showText(stripAnsi(text)).replaceAll(/\s+/g, ' ');

/** The end of what stands before the hit. */
function leadOf(text: string, isNarrow: boolean): string {
  const line = oneLine(text);
  return isNarrow && line.length > LEAD_CHARS ? `…${line.slice(-LEAD_CHARS).toWellFormed()}` : line;
}

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
        <time className={styles.when} dateTime={hit.ts} title={formatExact(hit.ts)}>
          {formatAgo(hit.ts, Date.now())}
        </time>
      </span>
      <span className={styles.words}>
        {leadOf(hit.snippet.before, title !== undefined)}
        <mark className={styles.match}>{oneLine(hit.snippet.match)}</mark>
        {oneLine(hit.snippet.after)}
      </span>
    </button>
  );
}
