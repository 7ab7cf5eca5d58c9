/** The inbox: one line an event, newest first. */
import { CheckCheck } from 'lucide-react';
import { useState } from 'react';
import type { EventRecord } from '../../contract/external-event.ts';
import type { EventsOf } from '../state/event-commands.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showExact, showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { classes } from '../ui/classes.ts';
import { formatAgo, formatExact } from '../ui/format.ts';
import { Lamp } from '../ui/Lamp.tsx';
import { describeStanding, describeTrust, LAMP_OF } from './describe-event.ts';
import styles from './EventsPanel.module.css';
import { useEvents } from './use-events.ts';

export function EventList({ of }: { readonly of: EventsOf }) {
  const [isUnreadOnly, setUnreadOnly] = useState(false);
  const { state, events, hasMore, quarantined, readAgain, readOlder } = useEvents(of, isUnreadOnly);
  const { ackAllEvents } = useCommands();
  return (
    <>
      <div className={styles.tools}>
        <label className={styles.check}>
          <input type="checkbox" checked={isUnreadOnly} onChange={(event) => setUnreadOnly(event.target.checked)} />
          {en.events.unreadOnly}
        </label>
        <Button tone="quiet" icon={<CheckCheck size={14} />} onClick={() => void ackAllEvents(of).then(readAgain)}>
          {en.events.markAll}
        </Button>
      </div>
      {quarantined > 0 && <p className={styles.note}>{en.events.quarantined(quarantined)}</p>}
      {state === 'failed' && <p className={styles.note}>{en.events.failed}</p>}
      {state === 'loading' && <p className={styles.empty}>{en.loading}</p>}
      {state === 'ready' && events.length === 0 && isUnreadOnly && (
        <p className={styles.empty}>{en.events.noneUnread}</p>
      )}
      {state === 'ready' && events.length === 0 && !isUnreadOnly && <NoEvents threadId={of.threadId} />}
      <ul className={styles.list} aria-label={en.events.label}>
        {events.map((event) => (
          <li key={event.event_seq}>
            <EventLine event={event} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <Button tone="quiet" onClick={() => void readOlder()}>
          {en.events.more}
        </Button>
      )}
    </>
  );
}

function EventLine({ event }: { readonly event: EventRecord }) {
  const { showEvents } = useCommands();
  return (
    <button
      type="button"
      className={classes(styles.line, !event.read && styles.fresh)}
      onClick={() => showEvents(event.event_seq)}
    >
      <span className={styles.first}>
        <Lamp state={LAMP_OF[event.severity]} name={en.events.severity[event.severity]} />
        <span className={styles.title}>{showText(event.title)}</span>
        {!event.read && <span className="visually-hidden">{en.events.unread}</span>}
        <time dateTime={event.received_at} title={formatExact(event.received_at)}>
          {formatAgo(event.received_at, Date.now())}
        </time>
      </span>
      <span className={styles.second}>
        <code>{showExact(event.type)}</code> · {showText(event.source.name)} · {describeTrust(event.trust)}
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
