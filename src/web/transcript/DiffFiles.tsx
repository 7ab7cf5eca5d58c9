/** The files of a diff, one view each. Only `LazyDiff` imports it, so that its code is loaded with the first diff. */
import { useMemo } from 'react';
import { en } from '../strings/en.ts';
import styles from './DiffCard.module.css';
import { FileDiffView } from './FileDiffView.tsx';
import { parseDiff } from './parse-diff.ts';
import { planWhole } from './plan-whole.ts';

export interface DiffFilesProps {
  readonly rowKey: string;
  readonly diff: string;
  /** A change over more files opens as a list of them. */
  readonly maxOpen: number;
  /** What became of it, when it was not applied. */
  readonly refusal: string | null;
  /** Every line of every file in the flow of the page, wrapped: nothing scrolls inside and nothing is cut off at the side. */
  readonly isWhole?: boolean;
}

export function DiffFiles({ rowKey, diff, maxOpen, refusal, isWhole = false }: DiffFilesProps) {
  const files = useMemo(() => parseDiff(diff), [diff]);
  const views = useMemo(() => planWhole(files), [files]);
  return (
    <div className={styles.files}>
      {(refusal !== null || files.length > 1) && (
        <div className={styles.summary}>
          {files.length > 1 && <span>{en.transcript.files(files.length)}</span>}
          {refusal !== null && <span className={styles.refused}>{refusal}</span>}
        </div>
      )}
      {files.map((file, at) => (
        <FileDiffView
          key={file.path}
          rowKey={rowKey}
          file={file}
          isOpenByDefault={files.length <= maxOpen}
          isRefused={refusal !== null}
          whole={isWhole ? views[at] : undefined}
        />
      ))}
    </div>
  );
}
