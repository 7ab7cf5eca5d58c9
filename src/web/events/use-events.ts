/** The open conversation's events that somebody looks for, newest first, read again whenever some arrive or change. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { EventRecord } from '../../contract/external-event.ts';
import type { EventQuery, EventsOf } from '../state/event-commands.ts';
import { useApp, useCommands } from '../state/use-app.ts';

interface EventsShown {
  readonly state: 'loading' | 'ready' | 'failed';
  /** What was asked: an answer to something else has no past worth keeping. */
  readonly query: EventQuery | null;
  readonly events: readonly EventRecord[];
  readonly next: number | null;
  readonly unread: number;
  readonly quarantined: number;
  /** Why the list could not be read. */
  readonly problem: string;
}

const NOTHING: EventsShown = {
  state: 'loading',
  query: null,
  events: [],
  next: null,
  unread: 0,
  quarantined: 0,
  problem: '',
};

export function useEvents(of: EventsOf, query: EventQuery) {
  const news = useApp((state) => state.eventNews);
  const { listEvents } = useCommands();
  const [shown, setShown] = useState(NOTHING);
  /** Answers to questions that are no longer asked are thrown away. */
  const asked = useRef(0);

  const read = useCallback(async () => {
    asked.current += 1;
    const mine = asked.current;
    const page = await listEvents(of, query);
    if (mine !== asked.current) return;
    if (!page.ok) setShown((known) => ({ ...known, state: 'failed', problem: page.error.message }));
    else {
      const { events, next, unread, quarantined } = page.value;
      setShown((known) => {
        const newest = [...events].reverse();
        const older = known.query === query ? olderThan(newest, known.events, query) : [];
        const isPagedBack = older.length > 0;
        const all = [...newest, ...older];
        return {
          state: 'ready',
          query,
          events: all,
          next: isPagedBack ? known.next : next,
          unread,
          quarantined,
          problem: '',
        };
      });
    }
  }, [listEvents, of, query]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: news is what the list is read again for
  useEffect(() => void read(), [read, news]);

  async function readOlder(): Promise<void> {
    if (shown.next === null) return;
    const page = await listEvents(of, { ...query, before: shown.next });
    if (!page.ok) return;
    const older = [...page.value.events].reverse();
    setShown((known) => ({ ...known, events: [...known.events, ...older], next: page.value.next }));
  }

  return { ...shown, readAgain: read, readOlder };
}

/** What was paged back to before; an unread list has no past worth keeping. */
function olderThan(
  newest: readonly EventRecord[],
  known: readonly EventRecord[],
  { isUnreadOnly }: EventQuery,
): readonly EventRecord[] {
  const last = newest.at(-1)?.event_seq;
  return isUnreadOnly || last === undefined ? [] : known.filter((event) => event.event_seq < last);
}
