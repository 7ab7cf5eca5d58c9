/** One file of a diff: a line that says what changed, and its rows below. */
import { en } from '../strings/en.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Disclosure } from '../ui/Disclosure.tsx';
import { showExact } from './ansi.ts';
import { DiffLines } from './DiffLines.tsx';
import styles from './FileDiffView.module.css';
import { type FileDiff, patchOf } from './parse-diff.ts';
import { useOpen } from './use-open.ts';
import { useSplit } from './use-split.ts';

interface FileDiffViewProps {
  readonly rowKey: string;
  readonly file: FileDiff;
  readonly isOpenByDefault: boolean;
  readonly isRefused?: boolean;
}

export function FileDiffView({ rowKey, file, isOpenByDefault, isRefused = false }: FileDiffViewProps) {
  const [isOpen, toggle] = useOpen(`${rowKey}:${file.path}`, isOpenByDefault);
  const { isSplit, toggle: toggleSplit } = useSplit();
  return (
    <Disclosure
      isOpen={isOpen}
      onToggle={toggle}
      edge={isRefused ? 'stop' : 'accent'}
      head={<code className={styles.path}>{showExact(file.path)}</code>}
      facts={
        <>
          {file.kind === 'add' && <span>{en.transcript.added}</span>}
          {file.kind === 'delete' && <span>{en.transcript.deleted}</span>}
          {file.from !== null && <span className={styles.from}>{en.transcript.moved(showExact(file.from))}</span>}
          <span className={styles.plus}>{`+${file.added}`}</span>
          <span className={styles.minus}>{`−${file.removed}`}</span>
        </>
      }
    >
      <div className={styles.body}>
        <div className={styles.tools}>
          {toggleSplit !== null && (
            <button type="button" className={styles.tool} aria-pressed={isSplit} onClick={toggleSplit}>
              {isSplit ? en.transcript.unified : en.transcript.sideBySide}
            </button>
          )}
          <CopyButton text={patchOf(file)} />
        </div>
        <DiffLines file={file} isSplit={isSplit} />
      </div>
    </Disclosure>
  );
}
