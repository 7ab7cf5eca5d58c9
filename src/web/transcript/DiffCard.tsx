/** What a turn changed on disk, or would have changed. */
import { useMemo } from 'react';
import type { EntryOf } from '../../contract/entry.ts';
import { en } from '../strings/en.ts';
import styles from './DiffCard.module.css';
import { FileDiffView } from './FileDiffView.tsx';
import { parseDiff } from './parse-diff.ts';

interface DiffCardProps {
  readonly rowKey: string;
  readonly diff: string;
  readonly status: EntryOf<'diff'>['status'];
}

/** A change over many files opens as a list of them. */
const MAX_OPEN_FILES = 4;

export function DiffCard({ rowKey, diff, status }: DiffCardProps) {
  const files = useMemo(() => parseDiff(diff), [diff]);
  const isRefused = status !== 'applied';
  return (
    <div className={styles.files}>
      {(isRefused || files.length > 1) && (
        <div className={styles.summary}>
          {files.length > 1 && <span>{en.transcript.files(files.length)}</span>}
          {isRefused && <span className={styles.refused}>{en.diffEnd[status]}</span>}
        </div>
      )}
      {files.map((file) => (
        <FileDiffView
          key={file.path}
          rowKey={rowKey}
          file={file}
          isOpenByDefault={files.length <= MAX_OPEN_FILES}
          isRefused={isRefused}
        />
      ))}
    </div>
  );
}
