/** One event whole: its words, where it came from, what it carries, what its sender suggests. */
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { EventRecord, ExternalEvent } from '../../contract/external-event.ts';
import { renderPlace } from '../route.ts';
import type { EventsOf, WholeEvent } from '../state/event-commands.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showExact, showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { formatExact } from '../ui/format.ts';
import { Lamp } from '../ui/Lamp.tsx';
import { describeStanding, describeTrust, LAMP_OF, quoteEvent } from './describe-event.ts';
import { EventFacts } from './EventFacts.tsx';
import styles from './EventsPanel.module.css';
import { Address, SuggestedActions } from './SuggestedActions.tsx';

interface EventDetailProps {
  readonly of: EventsOf;
  readonly eventSeq: number;
  readonly onRules: () => void;
}

export function EventDetail({ of, eventSeq, onRules }: EventDetailProps) {
  const news = useApp((state) => state.eventNews);
  const { readEvent, showEvents } = useCommands();
  const [whole, setWhole] = useState<WholeEvent | null>(null);
  const [isGone, setGone] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: news may be about this event
  useEffect(() => {
    let isWanted = true;
    void readEvent(of, eventSeq).then((read) => {
      // In a flood there is always more news than answers: the first one is shown in any case.
      if (read !== null) setWhole((known) => (isWanted || known === null ? read : known));
      setGone(read === null);
    });
    return () => {
      isWanted = false;
    };
  }, [readEvent, of, eventSeq, news]);
  return (
    <div className={styles.detail}>
      {/* The line that was pressed is gone: who uses the keyboard goes on from here. */}
      <Button ref={focusFirst} tone="quiet" icon={<ArrowLeft size={14} />} onClick={() => showEvents(null)}>
        {en.events.back}
      </Button>
      {whole === null ? (
        <p className={styles.empty}>{isGone ? en.events.gone : en.loading}</p>
      ) : (
        <Whole of={of} whole={whole} onRules={onRules} />
      )}
    </div>
  );
}

/** Only when nothing else has the focus: an event may be opened from the transcript, too. */
function focusFirst(button: HTMLButtonElement | null): void {
  if (button !== null && (document.activeElement === null || document.activeElement === document.body)) button.focus();
}

interface WholeProps {
  readonly of: EventsOf;
  readonly whole: WholeEvent;
  readonly onRules: () => void;
}

function Whole({ of, whole, onRules }: WholeProps) {
  const { askAbout, markUnread, showEvents } = useCommands();
  const { record, event } = whole;
  return (
    <article className={styles.whole} aria-label={showText(event.title)}>
      <h2 className={styles.heading}>
        <Lamp state={LAMP_OF[event.severity]} name={en.events.severity[event.severity]} />{' '}
        <bdi>{showText(event.title)}</bdi>
      </h2>
      <p className={styles.second}>
        {en.events.severity[event.severity]} · <code>{showExact(event.type)}</code> ·{' '}
        {en.events.from(showText(event.source.name))} · {describeTrust(event.trust)}
      </p>
      <p className={styles.second}>
        <a
          className={styles.link}
          href={renderPlace({ conversationId: of.conversationId, at: { kind: 'event', seq: record.event_seq } })}
        >
          <time dateTime={record.received_at}>{formatExact(record.received_at)}</time>
        </a>{' '}
        · {describeStanding(record)}
      </p>
      <Advice record={record} onRules={onRules} />
      {event.summary !== '' && (
        <p className={styles.summary} dir="auto">
          {showText(event.summary)}
        </p>
      )}
      <div className={styles.acts}>
        <Button tone="primary" onClick={() => askAbout(quoteEvent(event))}>
          {en.events.ask}
        </Button>
        <Button
          tone="quiet"
          onClick={() => {
            showEvents(null);
            void markUnread(of, [record.event_seq]);
          }}
        >
          {en.events.markUnread}
        </Button>
      </div>
      <SuggestedActions actions={event.suggested_actions ?? []} />
      <EventFacts event={event} receivedAt={record.received_at} />
      <Artifacts event={event} />
      {event.payload !== undefined && (
        <section>
          <h3 className={styles.part}>{en.events.payload}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre className={styles.payload} tabIndex={0}>
            {showExact(JSON.stringify(event.payload, null, 2))}
          </pre>
        </section>
      )}
    </article>
  );
}

/** Why it is not where somebody may want it, and what to do about that. */
function Advice({ record, onRules }: { readonly record: EventRecord; readonly onRules: () => void }) {
  const known: Readonly<Record<string, string>> = en.events.advice;
  const advice = record.state === 'delivered' ? undefined : known[record.reason ?? ''];
  if (advice === undefined) return null;
  return (
    <p className={styles.advice}>
      {advice}{' '}
      {(record.reason === 'not_allowed' || record.reason === 'rule') && (
        <Button tone="quiet" onClick={onRules}>
          {en.events.openRules}
        </Button>
      )}
    </p>
  );
}

/** More than these push everything else out of sight. */
const FEW_ARTIFACTS = 5;

function Artifacts({ event }: { readonly event: ExternalEvent }) {
  const [isWhole, setWhole] = useState(false);
  const artifacts = event.artifacts ?? [];
  if (artifacts.length === 0) return null;
  const isCut = !isWhole && artifacts.length > FEW_ARTIFACTS + 1;
  return (
    <section>
      <h3 className={styles.part}>{en.events.artifacts}</h3>
      <ul className={styles.parts}>
        {(isCut ? artifacts.slice(0, FEW_ARTIFACTS) : artifacts).map((artifact, at) => {
          const where = artifact.ref.type === 'url' ? artifact.ref.url : artifact.ref.path;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a sender may name the same twice
            <li key={at}>
              {showText(artifact.title ?? artifact.kind)}
              {artifact.ref.type === 'url' ? <Address url={where} /> : <code>{showExact(where)}</code>}
            </li>
          );
        })}
      </ul>
      {isCut && (
        <Button tone="quiet" onClick={() => setWhole(true)}>
          {en.events.allArtifacts(artifacts.length)}
        </Button>
      )}
    </section>
  );
}
