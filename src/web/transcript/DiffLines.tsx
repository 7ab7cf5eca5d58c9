/** The rows of one file's diff. A long file mounts only the rows in view; words and colors are found for those alone. */
import { type KeyboardEvent, memo, type ReactNode, useMemo } from 'react';
import { useHighlight } from '../markdown/highlight.ts';
import { Runs } from '../markdown/Runs.tsx';
import { languageOf, linesOf, type Run } from '../markdown/runs.ts';
import { quoteIntoDraft } from '../state/quote.ts';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import { showExact, showName, showText } from './ansi.ts';
import { type Cell, type DiffRow, longestLine, quoteLine, rowsOf } from './diff-rows.ts';
import styles from './FileDiffView.module.css';
import { changed, type Mark } from './mark-words.ts';
import type { FileDiff } from './parse-diff.ts';
import { useWindow } from './use-window.ts';

const ROW_PX = 19;
/** As the stylesheet's limit for the box that scrolls. */
const BOX_PX = 560;
/** Rows that are mounted, colored and remembered as one. */
const BLOCK_ROWS = 20;
/** Below this all rows are mounted. */
const FEW_ROWS = 120;
const GUTTER_CH = 18;

interface DiffLinesProps {
  readonly file: FileDiff;
  readonly isSplit: boolean;
  /** Every row is mounted, and long lines wrap. */
  readonly isWhole: boolean;
}

export function DiffLines({ file, isSplit, isWhole }: DiffLinesProps) {
  const rows = useMemo(() => rowsOf(file, isSplit), [file, isSplit]);
  const width = useMemo(() => longestLine(file) + GUTTER_CH, [file]);
  const { first, last, onScroll } = useWindow(rows.length, ROW_PX, BOX_PX);
  const isLong = rows.length > FEW_ROWS && !isWhole;
  const from = isLong ? Math.floor(first / BLOCK_ROWS) : 0;
  const to = isLong ? Math.ceil(last / BLOCK_ROWS) : Math.ceil(rows.length / BLOCK_ROWS);
  const blocks = Array.from({ length: to - from }, (_, at) => from + at);
  const below = Math.max(0, rows.length - to * BLOCK_ROWS);
  return (
    <section
      className={classes(styles.scroll, isWhole && styles.whole)}
      data-split={isSplit ? '' : undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={showName(file.path)}
      onScroll={(event) => {
        if (isSplit) event.currentTarget.style.setProperty('--shift', `${event.currentTarget.scrollLeft}px`);
        if (isLong) onScroll(event);
      }}
      onKeyDown={stepComment}
    >
      <div
        className={classes(styles.code, isSplit && styles.split)}
        style={{
          // Side by side, the rows stay in the box and their text is moved by as much as the box is scrolled.
          ...(isSplit ? { width: `max(100%, 50% + ${width}ch)` } : isLong && { minWidth: `max(100%, ${width}ch)` }),
          paddingTop: from * BLOCK_ROWS * ROW_PX,
          paddingBottom: below * ROW_PX,
        }}
      >
        {blocks.map((at) => (
          <Block key={at} rows={rows} at={at} path={file.path} hasStop={at === from} />
        ))}
      </div>
    </section>
  );
}

/** ↑ and ↓ from one line's comment button to the next. */
function stepComment(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const from = event.target;
  if (by === undefined || !(from instanceof HTMLElement) || !from.matches('[data-comment]')) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-comment]')];
  const next = all[all.indexOf(from) + by];
  event.preventDefault();
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}

interface BlockProps {
  readonly rows: readonly DiffRow[];
  readonly at: number;
  readonly path: string;
  /** Tab stops at the first of its lines; ↑ and ↓ go on from there. */
  readonly hasStop: boolean;
}

const Block = memo(function Block({ rows, at, path, hasStop }: BlockProps) {
  const own = useMemo(() => rows.slice(at * BLOCK_ROWS, (at + 1) * BLOCK_ROWS), [rows, at]);
  const cells = useMemo(() => own.flatMap(cellsOf), [own]);
  const text = useMemo(() => cells.map((cell) => cell.line.text).join('\n'), [cells]);
  const runs = useHighlight(text, languageOf(path), true);
  const colors = useMemo(() => {
    const lines = runs === null ? [] : linesOf(runs);
    return new Map(cells.map((cell, n) => [cell, lines[n]]));
  }, [runs, cells]);
  const stop = hasStop ? own.findIndex((row) => row.kind !== 'hunk') : -1;
  return own.map((row, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
    <RowView key={n} row={row} path={path} colors={colors} isStop={n === stop} />
  ));
});

/** Each line once, old before new, so that what the highlighter reads makes sense. */
function cellsOf(row: DiffRow): readonly Cell[] {
  if (row.kind === 'hunk') return [];
  if (row.kind === 'line') return [row.cell];
  return [row.left, row.right === row.left ? null : row.right].filter((cell) => cell !== null);
}

type Colors = ReadonlyMap<Cell, readonly Run[] | undefined>;

interface RowViewProps {
  readonly row: DiffRow;
  readonly path: string;
  readonly colors: Colors;
  readonly isStop: boolean;
}

function RowView({ row, path, colors, isStop }: RowViewProps) {
  if (row.kind === 'hunk')
    return <div className={styles.hunk}>{`${row.place}  ${showText(row.header)}`.trimEnd()}</div>;
  if (row.kind === 'line') {
    const { cell } = row;
    return (
      <div className={classes(styles.line, styles[cell.line.type])}>
        <span className={styles.number}>{cell.line.oldLine}</span>
        <span className={styles.number}>{cell.line.newLine}</span>
        <Sign cell={cell} path={path} isStop={isStop} />
        <Text cell={cell} runs={colors.get(cell)} />
      </div>
    );
  }
  const { left, right } = row;
  const common = { path, colors };
  return (
    <div className={styles.pair}>
      <Half cell={left} number={left?.line.oldLine ?? null} isStop={isStop && right === null} {...common} />
      <Half cell={right} number={right?.line.newLine ?? null} isStop={isStop} {...common} />
    </div>
  );
}

interface HalfProps {
  readonly cell: Cell | null;
  readonly number: number | null;
  readonly path: string;
  readonly colors: Colors;
  readonly isStop: boolean;
}

function Half({ cell, number, path, colors, isStop }: HalfProps) {
  if (cell === null) return <div className={classes(styles.half, styles.none)} />;
  return (
    <div className={classes(styles.half, styles[cell.line.type])}>
      <span className={styles.number}>{number}</span>
      <Sign cell={cell} path={path} isStop={isStop} />
      <Text cell={cell} runs={colors.get(cell)} />
    </div>
  );
}

const SIGNS = { same: ' ', add: '+', del: '−', note: '\\' } as const;

interface SignProps {
  readonly cell: Cell;
  readonly path: string;
  readonly isStop: boolean;
}

function Sign({ cell, path, isStop }: SignProps) {
  const { line } = cell;
  if (line.type === 'note') return <span className={styles.sign}>{SIGNS.note}</span>;
  return (
    <span className={styles.sign}>
      {SIGNS[line.type]}
      <button
        type="button"
        className={styles.comment}
        aria-label={en.transcript.comment(line.newLine ?? line.oldLine ?? 0)}
        title={en.transcript.comment(line.newLine ?? line.oldLine ?? 0)}
        tabIndex={isStop ? 0 : -1}
        data-comment=""
        onClick={() => quoteIntoDraft(quoteLine(path, line))}
      />
    </span>
  );
}

interface TextProps {
  readonly cell: Cell;
  readonly runs: readonly Run[] | undefined;
}

function Text({ cell, runs }: TextProps) {
  const { line, mate } = cell;
  const pair =
    mate === null ? null : line.type === 'del' ? changed(line.text, mate.text) : changed(mate.text, line.text);
  const mark = pair === null ? null : pair[line.type === 'del' ? 0 : 1];
  return <span className={styles.text}>{marked(line.text, mark, runs)}</span>;
}

function marked(text: string, mark: Mark | null, runs: readonly Run[] | undefined): ReactNode {
  const piece = (from: number, to: number) =>
    runs === undefined ? showExact(text.slice(from, to)) : <Runs runs={sliceRuns(runs, from, to)} show={showExact} />;
  if (mark === null || mark.from === mark.to) return piece(0, text.length);
  return (
    <>
      {piece(0, mark.from)}
      <mark className={styles.mark}>{piece(mark.from, mark.to)}</mark>
      {piece(mark.to, text.length)}
    </>
  );
}

function sliceRuns(runs: readonly Run[], from: number, to: number): readonly Run[] {
  let at = 0;
  return runs.flatMap(({ text, tone }) => {
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    at += text.length;
    return part === '' ? [] : [{ text: part, tone }];
  });
}
