/** One file of a diff: a line that says what changed, and its rows below. */
import type { ReactNode } from 'react';
import { FileLink } from '../files/FileText.tsx';
import { en } from '../strings/en.ts';
import { EN_CHANGES } from '../strings/en-changes.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Disclosure } from '../ui/Disclosure.tsx';
import { showExact, showName } from './ansi.ts';
import { DiffLines } from './DiffLines.tsx';
import { DiffParts } from './DiffParts.tsx';
import styles from './FileDiffView.module.css';
import { type FileDiff, patchOf } from './parse-diff.ts';
import type { WholeView } from './plan-whole.ts';
import { useOpen } from './use-open.ts';
import { useSplit } from './use-split.ts';

interface FileDiffViewProps {
  readonly rowKey: string;
  readonly file: FileDiff;
  readonly isOpenByDefault: boolean;
  readonly isRefused?: boolean;
  /** Of another conversation than the open one: its files cannot be opened here. */
  readonly isElsewhere?: boolean | undefined;
  /** All of it in the flow of the page, as rows or as text; without it the lines scroll in a box of their own. */
  readonly whole?: WholeView | undefined;
}

export function FileDiffView({
  rowKey,
  file,
  isOpenByDefault,
  isRefused = false,
  isElsewhere,
  whole,
}: FileDiffViewProps) {
  const [isOpen, toggle] = useOpen(`${rowKey}:${file.path}`, isOpenByDefault);
  return (
    <Disclosure
      isOpen={isOpen}
      onToggle={toggle}
      edge={isRefused ? 'stop' : 'accent'}
      head={<code className={styles.path}>{showName(file.path)}</code>}
      facts={
        <>
          {file.kind === 'add' && <span>{en.transcript.added}</span>}
          {file.kind === 'delete' && <span>{en.transcript.deleted}</span>}
          {file.from !== null && <span className={styles.from}>{en.transcript.moved(showName(file.from))}</span>}
          <span className={styles.plus}>{`+${file.added}`}</span>
          <span className={styles.minus}>{`−${file.removed}`}</span>
        </>
      }
    >
      <FileDiffBody file={file} isElsewhere={isElsewhere} whole={whole} />
    </Disclosure>
  );
}

interface FileDiffBodyProps extends Pick<FileDiffViewProps, 'file' | 'whole'> {
  readonly isElsewhere?: boolean | undefined;
  /** Acts on one hunk, by its place: the hunks are shown apart. */
  readonly partActs?: ((at: number) => ReactNode) | undefined;
}

/** The lines of one file, with what can be done with them. */
export function FileDiffBody({ file, isElsewhere = false, whole, partActs }: FileDiffBodyProps) {
  const { isSplit, toggle: toggleSplit } = useSplit();
  return (
    <div className={styles.body}>
      <div className={styles.tools}>
        {whole === undefined && !isElsewhere && (
          <FileLink
            file={{ path: file.path, line: firstLine(file) }}
            className={styles.tool}
            name={EN_CHANGES.openFile(showName(file.path))}
          >
            {EN_CHANGES.open}
          </FileLink>
        )}
        {toggleSplit !== null && whole === undefined && (
          <button type="button" className={styles.tool} aria-pressed={isSplit} onClick={toggleSplit}>
            {isSplit ? en.transcript.unified : en.transcript.sideBySide}
          </button>
        )}
        <CopyButton text={patchOf(file)} />
      </div>
      {whole !== undefined && needsLine(file.path) && <p className={styles.name}>{showName(file.path)}</p>}
      {partActs !== undefined ? (
        <DiffParts file={file} isSplit={isSplit} partActs={partActs} />
      ) : whole === 'text' ? (
        <pre className={styles.plain}>{showExact(patchOf(file))}</pre>
      ) : (
        <DiffLines file={file} isSplit={isSplit && whole === undefined} isWhole={whole === 'rows'} />
      )}
    </div>
  );
}

/** Where the change begins in the file as it is now. */
function firstLine({ hunks }: FileDiff): number | null {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return (lines.find(({ type }) => type === 'add') ?? lines.find(({ newLine }) => newLine !== null))?.newLine ?? null;
}

/** The head of a card cuts a longer path off. */
const MAX_HEAD_CHARS = 40;

function needsLine(path: string): boolean {
  return path.length > MAX_HEAD_CHARS || showName(path) !== path;
}
