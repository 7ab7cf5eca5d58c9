/** The files of a diff, one view each. Only `LazyDiff` imports it, so that its code is loaded with the first diff. */
import { useMemo } from 'react';
import { en } from '../strings/en.ts';
import styles from './DiffCard.module.css';
import { FileDiffView } from './FileDiffView.tsx';
import { parseDiff } from './parse-diff.ts';

export interface DiffFilesProps {
  readonly rowKey: string;
  readonly diff: string;
  /** A change over more files opens as a list of them. */
  readonly maxOpen: number;
  /** What became of it, when it was not applied. */
  readonly refusal: string | null;
}

export function DiffFiles({ rowKey, diff, maxOpen, refusal }: DiffFilesProps) {
  const files = useMemo(() => parseDiff(diff), [diff]);
  return (
    <div className={styles.files}>
      {(refusal !== null || files.length > 1) && (
        <div className={styles.summary}>
          {files.length > 1 && <span>{en.transcript.files(files.length)}</span>}
          {refusal !== null && <span className={styles.refused}>{refusal}</span>}
        </div>
      )}
      {files.map((file) => (
        <FileDiffView
          key={file.path}
          rowKey={rowKey}
          file={file}
          isOpenByDefault={files.length <= maxOpen}
          isRefused={refusal !== null}
        />
      ))}
    </div>
  );
}
