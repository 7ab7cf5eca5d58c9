/** One changed file: a line, and its difference below it, which is read when the line is first opened. */
import { type ReactNode, useEffect, useState } from 'react';
import { EN_CHANGES } from '../strings/en-changes.ts';
import { showName } from '../transcript/ansi.ts';
import { FileDiffBody } from '../transcript/FileDiffView.tsx';
import type { FileDiff } from '../transcript/parse-diff.ts';
import { useOpen } from '../transcript/use-open.ts';
import { Disclosure } from '../ui/Disclosure.tsx';
import styles from './TurnChanges.module.css';

interface ChangedFileViewProps {
  /** By which the page remembers whether the file is open. */
  readonly openKey: string;
  readonly path: string;
  readonly isOpenByDefault: boolean;
  readonly facts: ReactNode;
  readonly act?: ReactNode;
  /** Null: there are no lines. A new function makes an open file read again. */
  readonly load: (path: string) => Promise<FileDiff | null>;
  /** Said where there are no lines. */
  readonly emptyText: string;
}

export function ChangedFileView(props: ChangedFileViewProps) {
  const { openKey, path, isOpenByDefault, facts, act, load, emptyText } = props;
  const [isOpen, toggle] = useOpen(openKey, isOpenByDefault);
  const [read, setRead] = useState<{ readonly file: FileDiff | null } | null>(null);
  useEffect(() => {
    if (!isOpen) return;
    let isStale = false;
    void load(path).then((file) => {
      if (!isStale) setRead({ file });
    });
    return () => {
      isStale = true;
    };
  }, [isOpen, load, path]);
  return (
    <Disclosure
      isOpen={isOpen}
      onToggle={toggle}
      head={
        <code className={styles.path} title={showName(path)}>
          {showName(path)}
        </code>
      }
      facts={facts}
      act={act}
    >
      {read === null && <p className={styles.inside}>{EN_CHANGES.loading}</p>}
      {read !== null && (read.file === null || read.file.hunks.length === 0) && (
        <p className={styles.inside}>{emptyText}</p>
      )}
      {read?.file != null && read.file.hunks.length > 0 && <FileDiffBody file={read.file} whole={undefined} />}
    </Disclosure>
  );
}
