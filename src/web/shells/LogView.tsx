/** A log: follows its end until somebody scrolls up, and finds lines in all that is kept. */
import { ArrowDownToLine } from 'lucide-react';
import { type UIEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { RouteOutput } from '../../contract/routes.ts';
import type { ShellView } from '../../contract/shellspec.ts';
import { useCommands } from '../state/use-app.ts';
import { EN_SHELLS } from '../strings/en-shells.ts';
import { parseAnsi, type Span, splitSpans } from '../transcript/ansi.ts';
import { Spans } from '../transcript/Console.tsx';
import { useWindow } from '../transcript/use-window.ts';
import { Button } from '../ui/Button.tsx';
import fields from '../ui/Field.module.css';
import type { LogBuffer } from './log-buffer.ts';
import styles from './ShellsPanel.module.css';

const LINE_PX = 19;
/** The tallest box on any screen we know; a few lines too many cost nothing. */
const BOX_PX = 1600;
/** A person who scrolled this near to the end means the end. */
const NEAR_PX = 24;
const SEARCH_DELAY_MS = 150;

interface LogViewProps {
  readonly shell: ShellView;
  readonly log: LogBuffer;
  readonly onEarlier: () => Promise<void>;
}

export function LogView({ shell, log, onEarlier }: LogViewProps) {
  const [isFollowing, setFollowing] = useState(true);
  const [query, setQuery] = useState('');
  const found = useSearch(shell.id, query, log.next);
  return (
    <>
      <div className={styles.tools}>
        <input
          type="search"
          className={fields.field}
          aria-label={EN_SHELLS.search}
          placeholder={EN_SHELLS.search}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <span className={styles.dim} role="status">
          {found === null
            ? ''
            : found.lines.length === 0
              ? EN_SHELLS.noHits
              : EN_SHELLS.hits(found.lines.length, found.is_complete)}
        </span>
        <Button
          tone={isFollowing ? 'plain' : 'quiet'}
          aria-pressed={isFollowing}
          icon={<ArrowDownToLine size={14} aria-hidden />}
          name={EN_SHELLS.follow}
          onClick={() => setFollowing(!isFollowing)}
        />
      </div>
      {found === null ? (
        <Text shell={shell} log={log} isFollowing={isFollowing} onFollow={setFollowing} onEarlier={onEarlier} />
      ) : (
        <Lines label={EN_SHELLS.log(shell.title)} lines={found.lines.map((line) => parseAnsi(line.text))} />
      )}
    </>
  );
}

/** Null without a query. Asked anew when the log has grown. */
function useSearch(id: string, query: string, next: number): RouteOutput<'searchShellLogs'> | null {
  const { searchShellLog } = useCommands();
  const [found, setFound] = useState<RouteOutput<'searchShellLogs'> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was written since may hold it as well
  useEffect(() => {
    let isStale = false;
    if (query === '') {
      setFound(null);
      return;
    }
    const timer = setTimeout(async () => {
      const answer = await searchShellLog(id, query);
      if (!isStale && answer !== null) setFound(answer);
    }, SEARCH_DELAY_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [id, query, next, searchShellLog]);
  return query === '' ? null : found;
}

interface TextProps extends LogViewProps {
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
}

function Text({ shell, log, isFollowing, onFollow, onEarlier }: TextProps) {
  const lines = useMemo(() => splitSpans(parseAnsi(log.text.replace(/\n$/, ''))), [log.text]);
  const hasEarlier = log.from !== null && log.from > log.first;
  if (log.text === '') return <p className={styles.note}>{EN_SHELLS.noLog}</p>;
  return (
    <>
      {hasEarlier && (
        <button type="button" className={styles.earlier} onClick={() => void onEarlier()}>
          {EN_SHELLS.earlier}
        </button>
      )}
      {log.first > 0 && log.from === log.first && <p className={styles.earlier}>{EN_SHELLS.dropped}</p>}
      <Lines label={EN_SHELLS.log(shell.title)} lines={lines} isFollowing={isFollowing} onFollow={onFollow} />
    </>
  );
}

interface LinesProps {
  readonly label: string;
  readonly lines: readonly (readonly Span[])[];
  readonly isFollowing?: boolean;
  readonly onFollow?: (isFollowing: boolean) => void;
}

/** Only those in view are mounted. */
function Lines({ label, lines, isFollowing = false, onFollow }: LinesProps) {
  const box = useRef<HTMLElement>(null);
  const lastTop = useRef(0);
  const { first, last, onScroll } = useWindow(lines.length, LINE_PX, BOX_PX);
  const stick = () => {
    const element = box.current;
    if (element === null || !isFollowing) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  };
  // After every drawing: new lines, a box that became smaller, a search that was closed.
  useLayoutEffect(stick);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the observer lives as long as somebody follows
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(stick);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [isFollowing]);
  const scroll = (event: UIEvent<HTMLElement>) => {
    onScroll(event);
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    // Only a person moves up; lines that come move nothing.
    const isLeaving = scrollTop < lastTop.current - 1 && !isAtEnd;
    lastTop.current = scrollTop;
    if (isFollowing ? isLeaving : isAtEnd) onFollow?.(!isFollowing);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={box} className={styles.log} aria-label={label} tabIndex={0} onScroll={scroll}>
      <div style={{ paddingTop: first * LINE_PX, paddingBottom: (lines.length - last) * LINE_PX }}>
        {lines.slice(first, last).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <div key={first + at} className={styles.line}>
            <Spans spans={line} />
          </div>
        ))}
      </div>
    </section>
  );
}
