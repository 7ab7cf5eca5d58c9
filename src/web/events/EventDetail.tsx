/** One event whole: its words, where it came from, what it carries, what its sender suggests. */
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ExternalEvent } from '../../contract/external-event.ts';
import type { EventsOf, WholeEvent } from '../state/event-commands.ts';
import { quoteIntoDraft } from '../state/quote.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showExact, showText } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { formatExact } from '../ui/format.ts';
import { Lamp } from '../ui/Lamp.tsx';
import { describeStanding, describeTrust, LAMP_OF, quoteEvent } from './describe-event.ts';
import styles from './EventsPanel.module.css';
import { Address, SuggestedActions } from './SuggestedActions.tsx';

export function EventDetail({ of, eventSeq }: { readonly of: EventsOf; readonly eventSeq: number }) {
  const news = useApp((state) => state.eventNews);
  const { readEvent, showEvents } = useCommands();
  const [whole, setWhole] = useState<WholeEvent | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: news may be about this event
  useEffect(() => {
    let isWanted = true;
    void readEvent(of, eventSeq).then((read) => isWanted && read !== null && setWhole(read));
    return () => {
      isWanted = false;
    };
  }, [readEvent, of, eventSeq, news]);
  return (
    <div className={styles.detail}>
      <Button tone="quiet" icon={<ArrowLeft size={14} />} onClick={() => showEvents(null)}>
        {en.events.back}
      </Button>
      {whole === null ? <p className={styles.empty}>{en.loading}</p> : <Whole whole={whole} />}
    </div>
  );
}

function Whole({ whole }: { readonly whole: WholeEvent }) {
  const { record, event } = whole;
  return (
    <article className={styles.whole} aria-label={showText(event.title)}>
      <h2 className={styles.heading}>
        <Lamp state={LAMP_OF[event.severity]} name={en.events.severity[event.severity]} /> {showText(event.title)}
      </h2>
      <p className={styles.second}>
        <code>{showExact(event.type)}</code> · {en.events.from(showText(event.source.name))} ·{' '}
        {describeTrust(event.trust)}
      </p>
      <p className={styles.second}>
        <time dateTime={record.received_at}>{formatExact(record.received_at)}</time> · {describeStanding(record)}
      </p>
      {event.summary !== '' && <p className={styles.summary}>{showText(event.summary)}</p>}
      <div className={styles.acts}>
        <Button tone="primary" onClick={() => quoteIntoDraft(quoteEvent(event))}>
          {en.events.ask}
        </Button>
      </div>
      <Artifacts event={event} />
      <SuggestedActions actions={event.suggested_actions ?? []} />
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

function Artifacts({ event }: { readonly event: ExternalEvent }) {
  const artifacts = event.artifacts ?? [];
  if (artifacts.length === 0) return null;
  return (
    <section>
      <h3 className={styles.part}>{en.events.artifacts}</h3>
      <ul className={styles.parts}>
        {artifacts.map((artifact) => {
          const where = artifact.ref.type === 'url' ? artifact.ref.url : artifact.ref.path;
          return (
            <li key={`${artifact.kind} ${where}`}>
              {showText(artifact.title ?? artifact.kind)}
              {artifact.ref.type === 'url' ? <Address url={where} /> : <code>{showExact(where)}</code>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
