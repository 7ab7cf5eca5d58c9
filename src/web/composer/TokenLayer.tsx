/** Behind the transparent message box: the same text unseen, with a ground under each mention. */
import type { Ref } from 'react';
import { Fragment } from 'react';
import styles from './Composer.module.css';
import type { Range } from './mention-token.ts';

interface TokenLayerProps {
  readonly text: string;
  readonly ranges: readonly Range[];
  readonly ref: Ref<HTMLDivElement>;
}

export function TokenLayer({ text, ranges, ref }: TokenLayerProps) {
  let from = 0;
  return (
    <div ref={ref} className={styles.layer} aria-hidden="true">
      {ranges.map(({ start, end }) => {
        const before = text.slice(from, start);
        from = end;
        return (
          <Fragment key={start}>
            {before}
            <mark className={styles.token}>{text.slice(start, end)}</mark>
          </Fragment>
        );
      })}
      {/* A last empty line has no height of its own without something in it. */}
      {`${text.slice(from)}\u200b`}
    </div>
  );
}
