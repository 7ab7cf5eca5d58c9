/** Command output on black: the last lines, or all of it on demand. */
import { useMemo, useState } from 'react';
import { countLines } from '../../core/text/cut.ts';
import { linkFiles } from '../files/FileText.tsx';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import { formatCount } from '../ui/format.ts';
import { parseAnsi, type Span, type Style, splitSpans } from './ansi.ts';
import styles from './Console.module.css';
import { tailLines } from './tail-lines.ts';
import { useWindow } from './use-window.ts';

/** From here on only what is in view is mounted. */
const WINDOWED_LINES = 400;
const LINE_PX = 19;
/** As the stylesheet's limit for the box that scrolls. */
const BOX_PX = 480;

interface ConsoleProps {
  readonly text: string;
  readonly maxLines: number;
  /** Set where a part of the output was not kept. */
  readonly cut?: { readonly printedLines: number | null } | null;
  /** Where the command ran: relative names of files start there. */
  readonly base?: string | undefined;
}

/** Lines of a cut output without the one that stands for what was cut out. */
export function keptLines(text: string): number {
  return Math.max(0, countLines(text) - 1);
}

export function Console({ text, maxLines, cut = null, base }: ConsoleProps) {
  const [isWhole, setWhole] = useState(false);
  const { tail, total } = useMemo(
    () => tailLines(text, isWhole ? Number.POSITIVE_INFINITY : maxLines),
    [text, maxLines, isWhole],
  );
  const spans = useMemo(() => parseAnsi(tail), [tail]);
  return (
    <div className={styles.console}>
      {total > maxLines && (
        <button
          type="button"
          className={styles.more}
          data-more={isWhole ? undefined : ''}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? en.showLess : describeMore(text, total, cut)}
        </button>
      )}
      {isWhole && total > WINDOWED_LINES ? (
        <ManyLines spans={spans} base={base} />
      ) : (
        <Plain spans={spans} base={base} />
      )}
    </div>
  );
}

function describeMore(text: string, total: number, cut: ConsoleProps['cut']): string {
  if (cut == null) return en.showAllLines(formatCount(total));
  return en.showKeptLines(
    formatCount(keptLines(text)),
    cut.printedLines === null ? null : formatCount(cut.printedLines),
  );
}

interface SpansProps {
  readonly spans: readonly Span[];
  readonly base?: string | undefined;
}

function Plain({ spans, base }: SpansProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={styles.output} tabIndex={0}>
      <Spans spans={spans} base={base} />
    </pre>
  );
}

/** All lines of a long output: those in view are mounted. */
function ManyLines({ spans, base }: SpansProps) {
  const lines = useMemo(() => splitSpans(spans), [spans]);
  const { first, last, onScroll } = useWindow(lines.length, LINE_PX, BOX_PX);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={styles.output} tabIndex={0} onScroll={onScroll}>
      <div style={{ paddingTop: first * LINE_PX, paddingBottom: (lines.length - last) * LINE_PX }}>
        {lines.slice(first, last).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <div key={first + at} className={styles.row}>
            <Spans spans={line} base={base} />
          </div>
        ))}
      </div>
    </pre>
  );
}

export function Spans({ spans, base }: SpansProps) {
  return spans.map((span, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a span is its place
    <span key={at} className={classNameOf(span.style)} style={colorsOf(span.style)}>
      {base === undefined ? span.text : linkFiles(span.text, false, base)}
    </span>
  ));
}

function classNameOf(style: Style): string | undefined {
  const name = classes(
    typeof style.fg === 'number' && styles[`fg${style.fg}`],
    typeof style.bg === 'number' && styles[`bg${style.bg}`],
    style.isBold && styles.bold,
    style.isDim && styles.dim,
    style.isItalic && styles.italic,
    style.isUnderlined && styles.underlined,
  );
  return name === '' ? undefined : name;
}

function colorsOf(style: Style): { color?: string; backgroundColor?: string } | undefined {
  if (typeof style.fg !== 'string' && typeof style.bg !== 'string') return undefined;
  return {
    ...(typeof style.fg === 'string' && { color: style.fg }),
    ...(typeof style.bg === 'string' && { backgroundColor: style.bg }),
  };
}
