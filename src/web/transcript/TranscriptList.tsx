/**
 * A window over the rows. Pinned, it follows the end; Free, no pixel moves under the reader: whatever changes above,
 * the first row in view is put back before the browser paints.
 */
import { ArrowDown } from 'lucide-react';
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { countUnseen } from '../state/store.ts';
import { useApp, useCommands, useGetState } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import { Failed } from '../ui/Failed.tsx';
import { Guard } from '../ui/Guard.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { type Anchor, captureAnchor, restoreAnchor } from './anchor.ts';
import { LooksRow } from './LooksRow.tsx';
import { Outbox } from './Outbox.tsx';
import { RowCard } from './RowCard.tsx';
import { rawTextOf } from './raw-text.ts';
import { type Row, rowOf } from './rows.ts';
import { spanAtEnd, spanFrom, startAfter, startBefore } from './span.ts';
import styles from './TranscriptList.module.css';
import { useForgotten } from './use-forgotten.ts';
import { useLooks } from './use-looks.ts';

const NoCheckpoints = lazyPart((later) => later.NoCheckpoints, { isPatient: true });

/** Rows are mounted this far ahead of what is in view. */
const AHEAD_PX = 1_200;
const AT_END_PX = 8;

export function TranscriptList() {
  const { keys: kept, dimmed } = useForgotten();
  const { keys, looks, toggle } = useLooks(kept);
  const follow = useApp((state) => state.follow);
  const hasMore = useApp((state) => state.hasMore);
  const commands = useCommands();
  const getState = useGetState();
  const scroller = useRef<HTMLElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor | null>(null);
  const lastTop = useRef(0);
  const lastSize = useRef<BoxSize>([0, 0, 0]);
  const [firstKey, setFirstKey] = useState<string | null>(null);

  const start = firstKey === null ? -1 : keys.indexOf(firstKey);
  const span = start < 0 || follow === 'pinned' ? spanAtEnd(keys.length) : spanFrom(start, keys.length);
  const shown = keys.slice(span.start, span.end);

  /** After each render and each change of size: to the end, or back to where the reader was. */
  function settle(): void {
    const [box, list] = [scroller.current, rows.current];
    if (box === null || list === null) return;
    if (getState().follow === 'pinned') box.scrollTop = box.scrollHeight;
    else if (box.scrollTop !== lastTop.current || anchor.current === null) anchor.current = captureAnchor(box, list);
    else restoreAnchor(box, list, anchor.current);
    lastTop.current = box.scrollTop;
    lastSize.current = sizeOf(box);
  }

  function onScroll(): void {
    const [box, list] = [scroller.current, rows.current];
    if (box === null || list === null) return;
    // A window that is resized or turned moves the rows, too; nobody has scrolled then.
    if (follow === 'pinned' && wasResized(lastSize.current, sizeOf(box))) {
      settle();
      return;
    }
    const wentUp = box.scrollTop < lastTop.current;
    const below = box.scrollHeight - box.scrollTop - box.clientHeight;
    const isAtEnd = below <= AT_END_PX && span.end === keys.length;
    if (follow === 'pinned' && wentUp && !isAtEnd) {
      setFirstKey(keys[span.start] ?? null);
      commands.setFollow('free');
    } else if (follow === 'free' && isAtEnd && !wentUp && box.scrollTop !== lastTop.current)
      commands.setFollow('pinned');
    lastTop.current = box.scrollTop;
    // Following the end needs no anchor, and looking for one at each delta would cost a layout.
    if (getState().follow === 'pinned') return;
    anchor.current = captureAnchor(box, list);
    if (box.scrollTop < AHEAD_PX) reachUp();
    else if (follow === 'free' && below < AHEAD_PX && span.end < keys.length) {
      setFirstKey(keys[startAfter(span.start, keys.length)] ?? null);
    }
  }

  function reachUp(): void {
    if (getState().follow === 'pinned') return;
    if (span.start > 0) setFirstKey(keys[startBefore(span.start)] ?? null);
    else void commands.loadOlder();
  }

  const latest = useRef({ settle, onScroll });
  useLayoutEffect(() => {
    latest.current = { settle, onScroll };
    settle();
    // Older rows that arrived while the reader is at the very top, where no scroll event will ask for them.
    if (follow === 'free' && span.start > 0 && lastTop.current < AHEAD_PX) reachUp();
  });

  // Freed by a button instead of by scrolling: hold the rows that are mounted.
  useLayoutEffect(() => {
    if (follow === 'free')
      setFirstKey((known) => known ?? rows.current?.firstElementChild?.getAttribute('data-key') ?? null);
    else {
      setFirstKey(null);
      anchor.current = null;
    }
  }, [follow]);

  useEffect(() => {
    const observer = new ResizeObserver(() => latest.current.settle());
    if (scroller.current !== null) observer.observe(scroller.current);
    if (rows.current !== null) observer.observe(rows.current);
    return () => observer.disconnect();
  }, []);

  useFillScreen(scroller, keys.length, hasMore);

  return (
    <div className={styles.frame}>
      <section
        ref={scroller}
        className={styles.scroller}
        data-scroll-root=""
        aria-label={en.transcript.label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={() => latest.current.onScroll()}
      >
        <div className={styles.column}>
          <div className={styles.top}>
            {span.start === 0 && !hasMore ? en.transcript.beginning : en.transcript.older}
          </div>
          <div ref={rows} className={styles.rows}>
            {shown.map((key) => {
              const fold = looks.get(key);
              if (fold === undefined) return <OneRow key={key} rowKey={key} isForgotten={dimmed.has(key)} />;
              return (
                <div key={key} className={styles.row} data-key={key} data-role="looks">
                  <LooksRow looks={fold} onToggle={() => toggle(fold)} />
                </div>
              );
            })}
          </div>
          <NoCheckpoints />
          <Outbox />
        </div>
      </section>
      {follow === 'free' && <EndPill onPress={() => commands.setFollow('pinned')} />}
    </div>
  );
}

type BoxSize = readonly [width: number, height: number, content: number];

const sizeOf = (box: HTMLElement): BoxSize => [box.clientWidth, box.clientHeight, box.scrollHeight];

/** Content that only grew is an answer that goes on: a reader who scrolls up meanwhile must get away from the end. */
const wasResized = (before: BoxSize, now: BoxSize): boolean =>
  now[0] !== before[0] || now[1] !== before[1] || now[2] < before[2];

/** A page of entries may make few rows: while they do not fill the screen there is nothing to scroll, so more is asked for. */
function useFillScreen(scroller: { readonly current: HTMLElement | null }, rowCount: number, hasMore: boolean): void {
  const { loadOlder } = useCommands();
  useEffect(() => {
    const box = scroller.current;
    if (rowCount > 0 && hasMore && box !== null && box.scrollHeight < box.clientHeight * 2) void loadOlder();
  }, [scroller, rowCount, hasMore, loadOlder]);
}

interface OneRowProps {
  readonly rowKey: string;
  readonly isForgotten: boolean;
}

const OneRow = memo(function OneRow({ rowKey, isForgotten }: OneRowProps) {
  const row = useApp((state) => rowOf(state.transcript, rowKey));
  if (row === undefined) return null;
  return (
    <div className={classes(styles.row, isForgotten && styles.forgotten)} data-key={rowKey} data-role={roleOf(row)}>
      <Guard of={row} fallback={() => <Failed notice={en.crash.row} text={rawTextOf(row)} />}>
        <RowCard row={row} />
      </Guard>
    </div>
  );
});

function roleOf(row: Row): string {
  switch (row.kind) {
    case 'entry':
    case 'message':
      return row.entry.role;
    case 'live':
      return row.item.role;
    case 'events':
      return 'external_event';
    default:
      return row.kind;
  }
}

function EndPill({ onPress }: { readonly onPress: () => void }) {
  const count = useApp(countUnseen);
  return (
    <button type="button" className={styles.pill} onClick={onPress}>
      <ArrowDown size={14} aria-hidden />
      {en.transcript.newRows(count)}
    </button>
  );
}
