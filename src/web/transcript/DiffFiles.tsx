/** The files of a diff, one view each. Only `LazyDiff` imports it, so that its code is loaded with the first diff. */
import { useMemo, useState } from 'react';
import { en } from '../strings/en.ts';
import { EN_CHANGES } from '../strings/en-changes.ts';
import { Button } from '../ui/Button.tsx';
import { Disclosure } from '../ui/Disclosure.tsx';
import styles from './DiffCard.module.css';
import { FileDiffView } from './FileDiffView.tsx';
import { type FileDiff, parseDiff } from './parse-diff.ts';
import { planWhole } from './plan-whole.ts';
import { useOpen } from './use-open.ts';

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
  const files = useMemo(() => sortFiles(parseDiff(diff)), [diff]);
  const views = useMemo(() => planWhole(files), [files]);
  const isMany = files.length > maxOpen && !isWhole;
  const [isListed, toggleList] = useOpen(`${rowKey}:list`, false);
  const [isExpanded, setExpanded] = useState(false);
  const body = (
    <div className={styles.files}>
      {!isMany && (refusal !== null || files.length > 1) && (
        <div className={styles.summary}>
          {files.length > 1 && <span>{en.transcript.files(files.length)}</span>}
          {refusal !== null && <span className={styles.refused}>{refusal}</span>}
        </div>
      )}
      {isMany && (
        <div className={styles.acts}>
          <Button tone="quiet" onClick={() => setExpanded(!isExpanded)}>
            {isExpanded ? EN_CHANGES.foldAll : EN_CHANGES.expandAll}
          </Button>
        </div>
      )}
      {files.map((file, at) => (
        <FileDiffView
          key={`${file.path}:${isExpanded}`}
          rowKey={isExpanded ? `${rowKey}:expanded` : rowKey}
          file={file}
          isOpenByDefault={files.length <= maxOpen || isExpanded}
          isRefused={refusal !== null}
          whole={isWhole ? views[at] : undefined}
        />
      ))}
    </div>
  );
  if (!isMany) return body;
  return (
    <Disclosure
      isOpen={isListed}
      onToggle={toggleList}
      edge={refusal === null ? 'accent' : 'stop'}
      head={EN_CHANGES.changed(files.length)}
      facts={
        <>
          {refusal !== null && <span className={styles.refused}>{refusal}</span>}
          <span className={styles.plus}>{`+${sum(files, 'added')}`}</span>
          <span className={styles.minus}>{`−${sum(files, 'removed')}`}</span>
        </>
      }
    >
      <div className={styles.list}>{body}</div>
    </Disclosure>
  );
}

/** `file2` before `file10`, as in a file manager. */
const NATURAL = new Intl.Collator('en', { numeric: true });

function sortFiles(files: readonly FileDiff[]): readonly FileDiff[] {
  return [...files].sort((a, b) => NATURAL.compare(a.path, b.path));
}

function sum(files: readonly FileDiff[], what: 'added' | 'removed'): number {
  return files.reduce((total, file) => total + file[what], 0);
}
