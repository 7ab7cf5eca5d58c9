/** All differences with the last commit or the base branch, or those of one turn; read only. */
import { useEffect, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_CHANGES } from '../strings/en-changes.ts';
import { EN_WORK_TREE } from '../strings/en-work-tree.ts';
import { showName } from '../transcript/ansi.ts';
import { FileDiffView } from '../transcript/FileDiffView.tsx';
import { type FileDiff, parseDiff } from '../transcript/parse-diff.ts';
import { Button } from '../ui/Button.tsx';
import styles from './ChangesPanel.module.css';

interface CompareViewProps {
  readonly conversationId: ConversationId;
  /** `head`, `base`, or the checkpoint of a turn. */
  readonly compare: string;
  readonly version: number;
}

/** More files open as a list of them. */
const MAX_OPEN = 4;
const MAX_ROWS = 100;

type Read =
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'read'; readonly files: readonly FileDiff[]; readonly isCut: boolean };

export function CompareView({ conversationId, compare, version }: CompareViewProps) {
  const { readDiff } = useCommands();
  const isElsewhere = useApp((state) => state.openId !== conversationId);
  const [read, setRead] = useState<Read | null>(null);
  const [isAll, setAll] = useState(false);
  const isTurn = compare.startsWith('chk_');
  // What a turn changed stays the same.
  const shown = isTurn ? 0 : version;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the files is a reason to read again
  useEffect(() => {
    let isStale = false;
    const ends = isTurn ? { from: `${compare}:before`, to: `${compare}:after` } : { from: compare, to: 'work_tree' };
    void readDiff({ id: conversationId, ...ends }).then((answer) => {
      if (isStale) return;
      if (!answer.ok) setRead({ kind: 'failed', message: answer.error.message });
      else setRead({ kind: 'read', files: parseDiff(answer.value.diff), isCut: answer.value.is_cut });
    });
    return () => {
      isStale = true;
    };
  }, [conversationId, compare, isTurn, shown, readDiff]);
  if (read === null) return <p className={styles.note}>{EN_CHANGES.loading}</p>;
  if (read.kind === 'failed') return <p className={styles.note}>{showName(read.message)}</p>;
  const { files, isCut } = read;
  const rows = isAll ? files : files.slice(0, MAX_ROWS);
  return (
    <div className={styles.groups}>
      {files.length === 0 && <p className={styles.note}>{EN_WORK_TREE.same}</p>}
      {rows.map((file) => (
        <FileDiffView
          key={file.path}
          rowKey={`compare:${conversationId}:${compare}`}
          file={file}
          isOpenByDefault={files.length <= MAX_OPEN}
          isElsewhere={isElsewhere}
        />
      ))}
      {rows.length < files.length && (
        <Button tone="quiet" onClick={() => setAll(true)}>
          {EN_WORK_TREE.more(files.length)}
        </Button>
      )}
      {isCut && <p className={styles.note}>{EN_WORK_TREE.cut}</p>}
    </div>
  );
}
