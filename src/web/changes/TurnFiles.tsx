/** The opened row of a turn: each file with its difference, what the checkpoint left out, and the acts on all files. */
import { type ReactNode, useMemo } from 'react';
import type { ChangedFile, Checkpoint } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_CHANGES } from '../strings/en-changes.ts';
import { showName } from '../transcript/ansi.ts';
import { type FileDiff, parseDiff } from '../transcript/parse-diff.ts';
import { ChangedFileView } from './ChangedFileView.tsx';
import styles from './TurnChanges.module.css';

interface TurnFilesProps {
  readonly rowKey: string;
  readonly conversationId: ConversationId;
  readonly checkpoint: Checkpoint;
  readonly files: readonly ChangedFile[];
  /** The acts on all files. */
  readonly children: ReactNode;
}

/** A change over more files opens as a list of them. */
const MAX_OPEN_FILES = 4;

export function TurnFiles({ rowKey, conversationId, checkpoint, files, children }: TurnFilesProps) {
  const { readDiff } = useCommands();
  const load = useMemo(() => {
    const ends = { id: conversationId, from: `${checkpoint.id}:before`, to: `${checkpoint.id}:after` };
    const read = async (path?: string): Promise<readonly FileDiff[]> => {
      const answer = await readDiff({ ...ends, ...(path !== undefined && { path }) });
      return answer.ok ? parseDiff(answer.value.diff) : [];
    };
    let whole: Promise<readonly FileDiff[]> | null = null;
    return async (path: string): Promise<FileDiff | null> => {
      whole ??= read();
      const found = (await whole).find((one) => one.path === path);
      // A long difference is cut, and git quotes unusual names: such a file is asked for by itself.
      return found ?? (await read(path))[0] ?? null;
    };
  }, [conversationId, checkpoint.id, readDiff]);
  const leftOut = [...checkpoint.before.left_out, ...(checkpoint.after?.left_out ?? [])];
  const unique = leftOut.filter((one, at) => leftOut.findIndex(({ path }) => path === one.path) === at);
  return (
    <div className={styles.body}>
      {files.map((file) => (
        <ChangedFileView
          key={file.path}
          openKey={`${rowKey}:changes:${file.path}`}
          path={file.path}
          isOpenByDefault={files.length <= MAX_OPEN_FILES}
          facts={<FileFacts file={file} />}
          load={load}
          emptyText={emptyTextOf(file)}
        />
      ))}
      {unique.length > 0 && (
        <div className={styles.note}>
          {EN_CHANGES.leftOut.title}
          <ul className={styles.names}>
            {unique.map(({ path, reason }) => (
              <li key={path}>
                <code>{showName(path)}</code> ({EN_CHANGES.leftOut[reason]})
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={styles.acts}>{children}</div>
    </div>
  );
}

function FileFacts({ file }: { readonly file: ChangedFile }) {
  const list = useApp((state) => state.list);
  const names = file.also_changed_by.map((id) => list.get(id)?.label ?? list.get(id)?.preview ?? id);
  return (
    <>
      {names.length > 0 && <span className={styles.also}>{EN_CHANGES.alsoBy(showName(names.join(', ')))}</span>}
      {file.is_late && <span title={EN_CHANGES.lateHint}>{EN_CHANGES.late}</span>}
      {file.status === 'added' && <span>{en.transcript.added}</span>}
      {file.status === 'deleted' && <span>{en.transcript.deleted}</span>}
      {file.old_path !== null && <span>{en.transcript.moved(showName(file.old_path))}</span>}
      {file.added !== null && <span className={styles.plus}>{`+${file.added}`}</span>}
      {file.removed !== null && <span className={styles.minus}>{`−${file.removed}`}</span>}
    </>
  );
}

function emptyTextOf({ added, before, after }: ChangedFile): string {
  if (added === null) return EN_CHANGES.binary;
  if (before !== null && after !== null && before.mode !== after.mode) return EN_CHANGES.mode(before.mode, after.mode);
  return EN_CHANGES.noLines;
}
