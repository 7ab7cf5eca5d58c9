/** Runs of colored code as elements. */
import { showText } from '../transcript/ansi.ts';
import styles from './Runs.module.css';
import type { Run } from './runs.ts';

export function Runs({
  runs,
  show = showText,
}: {
  readonly runs: readonly Run[];
  readonly show?: (text: string) => string;
}) {
  return runs.map(({ text, tone }, at) =>
    tone === null ? (
      show(text)
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a run is its place
      <span key={at} className={styles[tone]}>
        {show(text)}
      </span>
    ),
  );
}
