/** A diff whose code is loaded when the first one is shown. */
import { lazy, type ReactNode, Suspense } from 'react';
import { en } from '../strings/en.ts';
import styles from './DiffCard.module.css';
import type { DiffFilesProps } from './DiffFiles.tsx';

const DiffFiles = lazy(async () => ({ default: (await import('./DiffFiles.tsx')).DiffFiles }));

interface LazyDiffProps extends DiffFilesProps {
  /** Below the diff, once it is there. */
  readonly children?: ReactNode;
}

export function LazyDiff({ children, ...props }: LazyDiffProps) {
  return (
    <Suspense fallback={<div className={styles.summary}>{en.transcript.loadingDiff}</div>}>
      <DiffFiles {...props} />
      {children}
    </Suspense>
  );
}
