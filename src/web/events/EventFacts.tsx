/** Where an event came from and what it belongs to, as far as its sender said. */
import type { ReactNode } from 'react';
import type { ExternalEvent } from '../../contract/external-event.ts';
import { en } from '../strings/en.ts';
import { showExact, showText } from '../transcript/ansi.ts';
import { formatExact } from '../ui/format.ts';
import styles from './EventsPanel.module.css';
import { Address } from './SuggestedActions.tsx';

/** What a sender's clock may be off, or a network slow, before it is worth telling. */
const SAME_TIME_MS = 60_000;

export function EventFacts({ event, receivedAt }: { readonly event: ExternalEvent; readonly receivedAt: string }) {
  const { source, routing, time_unix_ms: at, event_id: id } = event;
  const words = en.events.facts;
  const labels = Object.entries(source.labels ?? {}).map(([name, value]) => `${name}=${value}`);
  const isElsewhen = at !== 0 && Math.abs(Date.parse(receivedAt) - at) > SAME_TIME_MS;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.link, source.url === undefined ? null : <Address key="url" url={source.url} />],
    [words.run, exact(source.run_id)],
    [words.instance, exact(source.instance)],
    [words.correlation, exact(routing.correlation_id)],
    [words.labels, exact(labels.length === 0 ? undefined : labels.join(', '))],
    [words.happened, isElsewhen ? formatExact(new Date(at).toISOString()) : null],
    [words.id, showText(id)],
  ];
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

const exact = (text: string | undefined): ReactNode =>
  text === undefined ? null : <code key={text}>{showExact(text)}</code>;
