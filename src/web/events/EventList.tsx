/** The inbox: one line an event, newest first. */
import type { EventRecord } from '../../contract/external-event.ts';
import type { EventQuery, EventsOf } from '../state/event-commands.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showExact, showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { classes } from '../ui/classes.ts';
import { formatAgo, formatExact } from '../ui/format.ts';
import { Lamp } from '../ui/Lamp.tsx';
import { describeStanding, describeTrust, LAMP_OF } from './describe-event.ts';
import { EventFilters } from './EventFilters.tsx';
import styles from './EventsPanel.module.css';
import { RejectedEvents } from './RejectedEvents.tsx';
import { useEvents } from './use-events.ts';

interface EventListProps {
  readonly of: EventsOf;
  readonly query: EventQuery;
  readonly onQuery: (query: EventQuery) => void;
  /** The event somebody comes back from. */
  readonly left: number | null;
}

export function EventList({ of, query, onQuery, left }: EventListProps) {
  const { state, events, next, unread, quarantined, held, problem, readAgain, readOlder } = useEvents(of, query);
  const { ackAllEvents } = useCommands();
  const isSought = query.minSeverity !== undefined || (query.words ?? '').trim() !== '';
  return (
    <>
      <EventFilters
        query={query}
        unread={unread}
        onChange={onQuery}
        onMarkAll={() => void ackAllEvents(of).then(readAgain)}
      />
      <RejectedEvents of={of} count={quarantined} />
      {held !== null && (
        <p className={styles.note} role="status">
          {en.events.held(held.reason, held.max_bytes)}
        </p>
      )}
      {state === 'failed' && (
        <p className={styles.note}>
          {en.events.failed} {showText(problem)}
        </p>
      )}
      {state === 'loading' && <p className={styles.empty}>{en.loading}</p>}
      {state === 'ready' && events.length === 0 && (query.isUnreadOnly || isSought) && (
        <p className={styles.empty} role="status">
          {!isSought ? en.events.noneUnread : next === null ? en.events.noneFound : en.events.noneFoundYet}
        </p>
      )}
      {state === 'ready' && events.length === 0 && !query.isUnreadOnly && !isSought && (
        <NoEvents threadId={of.threadId} />
      )}
      <ul className={styles.list} aria-label={en.events.label}>
        {events.map((event) => (
          <li key={event.event_seq}>
            <EventLine event={event} left={left} />
          </li>
        ))}
      </ul>
      {next !== null && (
        <Button tone="quiet" onClick={() => void readOlder()}>
          {en.events.more}
        </Button>
      )}
    </>
  );
}

/** Who comes back from an event goes on where they left the list. */
function focusAgain(line: HTMLButtonElement | null): void {
  if (line !== null && document.activeElement === document.body) line.focus();
}

interface EventLineProps {
  readonly event: EventRecord;
  readonly left: number | null;
}

function EventLine({ event, left }: EventLineProps) {
  const { showEvents } = useCommands();
  return (
    <button
      type="button"
      ref={event.event_seq === left ? focusAgain : null}
      className={classes(styles.line, !event.read && styles.fresh)}
      onClick={() => showEvents(event.event_seq)}
    >
      <span className={styles.first}>
        <Lamp state={LAMP_OF[event.severity]} name={en.events.severity[event.severity]} />
        <span className={styles.title} dir="auto">
          {showText(event.title)}
        </span>
        {!event.read && <span className="visually-hidden">{en.events.unread}</span>}
        <time dateTime={event.received_at} title={formatExact(event.received_at)}>
          {formatAgo(event.received_at, Date.now())}
        </time>
      </span>
      <span className={styles.second}>
        {en.events.severity[event.severity]} · <code>{showExact(event.type)}</code> · {showText(event.source.name)} ·{' '}
        {describeTrust(event.trust)}
      </span>
      <span className={styles.second}>{describeStanding(event)}</span>
    </button>
  );
}

function NoEvents({ threadId }: { readonly threadId: string }) {
  const command = `signalbox run --thread ${threadId} -- npm test`;
  return (
    <div className={styles.empty}>
      <p>{en.events.none}</p>
      <p>{en.events.howTo}</p>
      <p className={styles.command}>
        <code>{command}</code>
        <CopyButton text={command} />
      </p>
    </div>
  );
}
