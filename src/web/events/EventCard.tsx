/** Events in the transcript: what happened outside, who says so, and what became of it. */
import type { EventItem } from '../../contract/external-event.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showExact, showText } from '../transcript/ansi.ts';
import type { EventEntry, ShownStanding } from '../transcript/event-standings.ts';
import { useOpen } from '../transcript/use-open.ts';
import { Button } from '../ui/Button.tsx';
import { Disclosure } from '../ui/Disclosure.tsx';
import { formatExact } from '../ui/format.ts';
import { Lamp } from '../ui/Lamp.tsx';
import { describeStanding, describeTrust, describeTurn, LAMP_OF, quoteEvent } from './describe-event.ts';
import styles from './EventCard.module.css';

interface EventCardProps {
  readonly rowKey: string;
  readonly entry: EventEntry;
  readonly standings: readonly ShownStanding[];
}

/** In a flood one entry tells of many; the rest is in the drawer. */
const MAX_SHOWN = 5;

export function EventCard({ rowKey, entry, standings }: EventCardProps) {
  const { showEvents } = useCommands();
  const shown = entry.events.slice(0, MAX_SHOWN);
  const more = entry.event_seqs.length - shown.length;
  return (
    <div className={styles.events}>
      {shown.map((event, at) => (
        <OneEvent
          key={event.event_seq}
          rowKey={`${rowKey}:${event.event_seq}`}
          event={event}
          standing={standings[at] ?? { state: entry.state, mode: entry.mode }}
        />
      ))}
      {more > 0 && (
        <button type="button" className={styles.more} onClick={() => showEvents(null)}>
          {en.events.andMore(more)}
        </button>
      )}
    </div>
  );
}

interface OneEventProps {
  readonly rowKey: string;
  readonly event: EventItem;
  readonly standing: ShownStanding;
}

function OneEvent({ rowKey, event, standing }: OneEventProps) {
  const { askAbout, showEvents } = useCommands();
  const isBad = event.severity === 'error' || event.severity === 'critical';
  const [isOpen, toggle] = useOpen(rowKey, isBad);
  const turn = describeTurn(standing);
  return (
    <Disclosure
      isOpen={isOpen}
      onToggle={toggle}
      edge="dashed"
      head={
        <>
          <span className={styles.lamp}>
            <Lamp state={LAMP_OF[event.severity]} name={en.events.severity[event.severity]} />
          </span>
          <code className={styles.type}>{showExact(event.type)}</code> <bdi>{showText(event.title)}</bdi>
        </>
      }
      facts={<span className={styles.state}>{describeStanding(standing)}</span>}
    >
      <div className={styles.body}>
        <p className={styles.source}>
          {en.events.severity[event.severity]} · {en.events.from(showText(event.source.name))} ·{' '}
          {describeTrust(event.trust)} · <time dateTime={event.received_at}>{formatExact(event.received_at)}</time>
          {(turn !== null || standing.reason !== undefined) &&
            ` · ${[describeStanding(standing), turn].filter(Boolean).join(' ')}`}
        </p>
        {event.summary !== '' && (
          <p className={styles.summary} dir="auto">
            {showText(event.summary)}
          </p>
        )}
        <div className={styles.acts}>
          <Button onClick={() => askAbout(quoteEvent(event))}>{en.events.ask}</Button>
          <Button tone="quiet" onClick={() => showEvents(standing.movedTo ?? event.event_seq)}>
            {en.events.show}
          </Button>
        </div>
      </div>
    </Disclosure>
  );
}
