/** A diff whose code is loaded when the first one is shown. */
import { lazy, Suspense } from 'react';
import { en } from '../strings/en.ts';
import styles from './DiffCard.module.css';
import type { DiffFilesProps } from './DiffFiles.tsx';

const DiffFiles = lazy(async () => ({ default: (await import('./DiffFiles.tsx')).DiffFiles }));

export function LazyDiff(props: DiffFilesProps) {
  return (
    <Suspense fallback={<div className={styles.summary}>{en.transcript.loadingDiff}</div>}>
      <DiffFiles {...props} />
    </Suspense>
  );
}
