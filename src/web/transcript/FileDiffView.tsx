/** One file of a diff: header, hunks, numbers on both sides. Long files show their first part until asked. */
import { useMemo, useState } from 'react';
import { en } from '../strings/en.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { classes } from '../ui/classes.ts';
import { Disclosure } from '../ui/Disclosure.tsx';
import { showExact } from './ansi.ts';
import styles from './FileDiffView.module.css';
import { type Mark, markWords } from './mark-words.ts';
import type { DiffLine, FileDiff, Hunk } from './parse-diff.ts';
import { useOpen } from './use-open.ts';

const SHOWN_LINES = 120;

interface FileDiffViewProps {
  readonly rowKey: string;
  readonly file: FileDiff;
  readonly isOpenByDefault: boolean;
  readonly isRefused?: boolean;
}

export function FileDiffView({ rowKey, file, isOpenByDefault, isRefused = false }: FileDiffViewProps) {
  const [isOpen, toggle] = useOpen(`${rowKey}:${file.path}`, isOpenByDefault);
  const [isWhole, setWhole] = useState(false);
  const total = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const hunks = isWhole ? file.hunks : firstLines(file.hunks, SHOWN_LINES);
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
        <CopyButton text={file.path} className={styles.copy} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section className={styles.scroll} tabIndex={0} aria-label={file.path}>
          <div className={styles.code}>
            {hunks.map((hunk, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a hunk is its place
              <HunkView key={at} hunk={hunk} isFirst={at === 0} />
            ))}
          </div>
        </section>
        {total > SHOWN_LINES && (
          <button type="button" className={styles.more} onClick={() => setWhole(!isWhole)}>
            {isWhole ? en.showLess : en.showAllLines(total)}
          </button>
        )}
      </div>
    </Disclosure>
  );
}

function firstLines(hunks: readonly Hunk[], max: number): readonly Hunk[] {
  let left = max;
  return hunks.flatMap((hunk) => {
    if (left <= 0) return [];
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    return [{ ...hunk, lines }];
  });
}

function HunkView({ hunk, isFirst }: { readonly hunk: Hunk; readonly isFirst: boolean }) {
  const marks = useMemo(() => markWords(hunk), [hunk]);
  return (
    <>
      {(!isFirst || hunk.header !== '') && <div className={styles.hunk}>{`⋯ ${hunk.header}`}</div>}
      {hunk.lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <Line key={at} line={line} mark={marks.get(line)} />
      ))}
    </>
  );
}

const SIGNS = { same: ' ', add: '+', del: '−', note: '\\' } as const;

function Line({ line, mark }: { readonly line: DiffLine; readonly mark: Mark | undefined }) {
  return (
    <div className={classes(styles.line, styles[line.type])}>
      <span className={styles.number}>{line.oldLine}</span>
      <span className={styles.number}>{line.newLine}</span>
      <span className={styles.sign}>{SIGNS[line.type]}</span>
      <span className={styles.text}>
        {mark === undefined ? (
          showExact(line.text)
        ) : (
          <>
            {showExact(line.text.slice(0, mark.from))}
            <mark className={styles.mark}>{showExact(line.text.slice(mark.from, mark.to))}</mark>
            {showExact(line.text.slice(mark.to))}
          </>
        )}
      </span>
    </div>
  );
}
