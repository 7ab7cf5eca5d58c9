/** The hunks of one file, each with acts of its own. A file with very many shows the first ones until all are asked for. */
import { type ReactNode, useState } from 'react';
import { EN_WORK_TREE } from '../strings/en-work-tree.ts';
import { Button } from '../ui/Button.tsx';
import { DiffLines } from './DiffLines.tsx';
import styles from './FileDiffView.module.css';
import type { FileDiff } from './parse-diff.ts';

interface DiffPartsProps {
  readonly file: FileDiff;
  readonly isSplit: boolean;
  readonly partActs: (at: number) => ReactNode;
}

/** More are several screens; each mounts only the rows in view. */
const MAX_SHOWN = 20;

export function DiffParts({ file, isSplit, partActs }: DiffPartsProps) {
  const [isAll, setAll] = useState(false);
  const { hunks } = file;
  const shown = isAll ? hunks : hunks.slice(0, MAX_SHOWN);
  return (
    <>
      {shown.map((hunk, at) => (
        <div key={`${hunk.old.first}:${hunk.new.first}`} data-hunk={at}>
          <div className={styles.part}>
            <span>{EN_WORK_TREE.part(at + 1, hunks.length)}</span>
            {partActs(at)}
          </div>
          <DiffLines file={{ ...file, hunks: [hunk] }} isSplit={isSplit} isWhole={false} />
        </div>
      ))}
      {shown.length < hunks.length && (
        <Button tone="quiet" onClick={() => setAll(true)}>
          {EN_WORK_TREE.allParts(hunks.length)}
        </Button>
      )}
    </>
  );
}
