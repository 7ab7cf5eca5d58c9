/** Command output on black: the last lines, or all of it on demand. */
import { useMemo, useState } from 'react';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
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
}

export function Console({ text, maxLines }: ConsoleProps) {
  const [isWhole, setWhole] = useState(false);
  const { tail, total } = useMemo(
    () => tailLines(text, isWhole ? Number.POSITIVE_INFINITY : maxLines),
    [text, maxLines, isWhole],
  );
  const spans = useMemo(() => parseAnsi(tail), [tail]);
  return (
    <div className={styles.console}>
      {total > maxLines && (
        <button type="button" className={styles.more} onClick={() => setWhole(!isWhole)}>
          {isWhole ? en.showLess : en.showAllLines(total)}
        </button>
      )}
      {isWhole && total > WINDOWED_LINES ? <ManyLines spans={spans} /> : <Plain spans={spans} />}
    </div>
  );
}

function Plain({ spans }: { readonly spans: readonly Span[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={styles.output} tabIndex={0}>
      <Spans spans={spans} />
    </pre>
  );
}

/** All lines of a long output: those in view are mounted. */
function ManyLines({ spans }: { readonly spans: readonly Span[] }) {
  const lines = useMemo(() => splitSpans(spans), [spans]);
  const { first, last, onScroll } = useWindow(lines.length, LINE_PX, BOX_PX);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={styles.output} tabIndex={0} onScroll={onScroll}>
      <div style={{ paddingTop: first * LINE_PX, paddingBottom: (lines.length - last) * LINE_PX }}>
        {lines.slice(first, last).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <div key={first + at} className={styles.row}>
            <Spans spans={line} />
          </div>
        ))}
      </div>
    </pre>
  );
}

export function Spans({ spans }: { readonly spans: readonly Span[] }) {
  return spans.map((span, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a span is its place
    <span key={at} className={classNameOf(span.style)} style={colorsOf(span.style)}>
      {span.text}
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
