/** Lines of a file with their numbers and colors, in blocks that the browser lays out only when they come into view. */
import { memo, useMemo } from 'react';
import { useHighlight } from '../markdown/highlight.ts';
import { Runs } from '../markdown/Runs.tsx';
import { languageOf, linesOf, type Run } from '../markdown/runs.ts';
import { showExact } from '../transcript/ansi.ts';
import { classes } from '../ui/classes.ts';
import styles from './FilePanel.module.css';

interface FileLinesProps {
  readonly path: string;
  readonly fromLine: number;
  readonly lines: readonly string[];
  /** The number of the line that is marked. */
  readonly here: number | null;
}

/** Colored as one, so that a comment over several lines has its color. */
const BLOCK_LINES = 300;

export function FileLines({ path, fromLine, lines, here }: FileLinesProps) {
  const starts = Array.from({ length: Math.ceil(lines.length / BLOCK_LINES) }, (_, at) => at * BLOCK_LINES);
  const digits = String(fromLine + lines.length).length;
  return (
    <div className={styles.lines} data-digits={Math.min(digits, 8)}>
      {starts.map((start) => (
        <Block
          key={fromLine + start}
          text={lines.slice(start, start + BLOCK_LINES).join('\n')}
          language={languageOf(path)}
          first={fromLine + start}
          here={here}
        />
      ))}
    </div>
  );
}

interface BlockProps {
  readonly text: string;
  readonly language: string;
  readonly first: number;
  readonly here: number | null;
}

const Block = memo(function Block({ text, language, first, here }: BlockProps) {
  const runs = useHighlight(text, language, true);
  const lines = useMemo<readonly (readonly Run[])[]>(
    () => (runs === null ? text.split('\n').map((line) => [{ text: line, tone: null }]) : linesOf(runs)),
    [runs, text],
  );
  return lines.map((line, at) => {
    const number = first + at;
    const isHere = number === here;
    return (
      <div
        key={number}
        className={classes(styles.line, isHere && styles.here)}
        data-number={number}
        aria-current={isHere ? 'true' : undefined}
      >
        <Runs runs={line} show={showExact} />
      </div>
    );
  });
});
