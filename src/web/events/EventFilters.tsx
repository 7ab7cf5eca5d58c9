/** What is shown of many events: by words, by severity, unread ones. */
import { CheckCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { EventQuery } from '../state/event-commands.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import { SEVERITIES } from './describe-event.ts';
import styles from './EventsPanel.module.css';

/** While somebody types, nobody is asked. */
const PAUSE_MS = 200;
/** More is refused. */
const MAX_WORDS_CHARS = 200;

interface EventFiltersProps {
  readonly query: EventQuery;
  readonly unread: number;
  readonly onChange: (query: EventQuery) => void;
  readonly onMarkAll: () => void;
}

export function EventFilters({ query, unread, onChange, onMarkAll }: EventFiltersProps) {
  const [words, setWords] = useState(query.words ?? '');
  useEffect(() => {
    if (words === (query.words ?? '')) return;
    const timer = setTimeout(() => onChange({ ...query, words }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words, query, onChange]);
  return (
    <>
      <div className={styles.filters}>
        <input
          type="search"
          value={words}
          maxLength={MAX_WORDS_CHARS}
          placeholder={en.events.search}
          aria-label={en.events.search}
          onChange={(event) => setWords(event.target.value)}
        />
        <select
          value={query.minSeverity ?? ''}
          aria-label={en.events.atLeast}
          onChange={(event) =>
            onChange({ ...query, minSeverity: SEVERITIES.find((one) => one === event.target.value) })
          }
        >
          <option value="">{en.events.anySeverity}</option>
          {SEVERITIES.slice(1).map((one) => (
            <option key={one} value={one}>
              {en.events.orWorse(en.events.severity[one])}
            </option>
          ))}
        </select>
      </div>
      <div className={styles.tools}>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={query.isUnreadOnly}
            onChange={(event) => onChange({ ...query, isUnreadOnly: event.target.checked })}
          />
          {en.events.unreadOnly}
        </label>
        <Button tone="quiet" icon={<CheckCheck size={14} />} disabled={unread === 0} onClick={onMarkAll}>
          {en.events.markAll}
        </Button>
      </div>
    </>
  );
}
