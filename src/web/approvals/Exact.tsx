/** The very characters that will run or be sent: wrapped, whole, with what does not print as escapes and long blanks in words. */
import { useMemo } from 'react';
import { en } from '../strings/en.ts';
import { isLong, readExact } from '../transcript/exact-text.ts';
import { formatCount } from '../ui/format.ts';
import styles from './AskBody.module.css';

interface ExactProps {
  readonly text: string;
  /** What the text is, for those who hear it. */
  readonly name: string;
}

export function Exact({ text, name }: ExactProps) {
  const read = useMemo(() => readExact(text), [text]);
  const size = en.approval.size(formatCount(read.lines), formatCount(read.chars));
  return (
    <>
      <section aria-label={isLong(read) ? `${name}, ${size}` : name}>
        <pre className={styles.exact} data-exact>
          {read.parts.map(({ kind, text: piece }, at) =>
            kind === 'text' ? (
              piece
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
              <span key={at} className={styles[kind]}>
                {piece}
              </span>
            ),
          )}
        </pre>
      </section>
      {isLong(read) && <p className={styles.end}>{en.approval.endOf(name, size)}</p>}
    </>
  );
}
