/** The open conversation's events, newest first, read again whenever some arrive or change. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { EventRecord } from '../../contract/external-event.ts';
import type { EventsOf } from '../state/event-commands.ts';
import { useApp, useCommands } from '../state/use-app.ts';

interface EventsShown {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly events: readonly EventRecord[];
  readonly hasMore: boolean;
  readonly quarantined: number;
}

const NOTHING: EventsShown = { state: 'loading', events: [], hasMore: false, quarantined: 0 };

export function useEvents(of: EventsOf, isUnreadOnly: boolean) {
  const news = useApp((state) => state.eventNews);
  const { listEvents } = useCommands();
  const [shown, setShown] = useState(NOTHING);
  /** Answers to questions that are no longer asked are thrown away. */
  const asked = useRef(0);

  const read = useCallback(async () => {
    asked.current += 1;
    const mine = asked.current;
    const page = await listEvents(of, { isUnreadOnly });
    if (mine !== asked.current) return;
    if (!page.ok) setShown((known) => ({ ...known, state: 'failed' }));
    else {
      const { events, has_more, quarantined } = page.value;
      setShown((known) => ({
        state: 'ready',
        events: joinPages([...events].reverse(), known.events, isUnreadOnly),
        hasMore: known.events.length > events.length ? known.hasMore : has_more,
        quarantined,
      }));
    }
  }, [listEvents, of, isUnreadOnly]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: news is what the list is read again for
  useEffect(() => void read(), [read, news]);

  async function readOlder(): Promise<void> {
    const before = shown.events.at(-1)?.event_seq;
    if (before === undefined) return;
    const page = await listEvents(of, { before, isUnreadOnly });
    if (!page.ok) return;
    const older = [...page.value.events].reverse();
    setShown((known) => ({ ...known, events: [...known.events, ...older], hasMore: page.value.has_more }));
  }

  return { ...shown, readAgain: read, readOlder };
}

/** The newest page over what was paged back to before; an unread list has no past worth keeping. */
function joinPages(
  newest: readonly EventRecord[],
  known: readonly EventRecord[],
  isUnreadOnly: boolean,
): readonly EventRecord[] {
  const last = newest.at(-1)?.event_seq;
  if (isUnreadOnly || last === undefined) return newest;
  return [...newest, ...known.filter((event) => event.event_seq < last)];
}
