/** What is shown in the place of a part that failed: a sentence, and the text of the part where there is one. */
import type { ReactNode } from 'react';
import styles from './Failed.module.css';
import { nameUnseen } from './name-unseen.ts';

interface FailedProps {
  readonly notice: string;
  readonly text?: string;
  readonly children?: ReactNode;
}

export function Failed({ notice, text = '', children }: FailedProps) {
  return (
    <div className={styles.failed} data-failed="">
      <p className={styles.notice}>{notice}</p>
      {text !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className={styles.text} tabIndex={0}>
          {nameUnseen(text)}
        </pre>
      )}
      {children}
    </div>
  );
}
