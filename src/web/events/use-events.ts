/** The open conversation's events that somebody looks for, newest first, read again whenever some arrive or change. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { EventHold } from '../../contract/external-event.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { EventQuery, EventsOf } from '../state/event-commands.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { type HeldEvents, withNewest, withOlder } from './event-pages.ts';

interface EventsShown extends HeldEvents {
  readonly state: 'loading' | 'ready' | 'failed';
  /** What was asked: an answer to something else has no past worth keeping. */
  readonly of: EventsOf | null;
  readonly query: EventQuery | null;
  readonly unread: number;
  readonly quarantined: number;
  /** Why no more events are taken. */
  readonly held: EventHold | null;
  /** Why the list could not be read. */
  readonly problem: string;
}

const NOTHING: EventsShown = {
  state: 'loading',
  of: null,
  query: null,
  events: [],
  next: null,
  unread: 0,
  quarantined: 0,
  held: null,
  problem: '',
};

export function useEvents(of: EventsOf, query: EventQuery) {
  const news = useApp((state) => state.eventNews);
  const { listEvents } = useCommands();
  const [shown, setShown] = useState(NOTHING);
  /** Counted up by somebody who changed something here. */
  const [changes, setChanges] = useState(0);
  /** One for each thing that is asked for. An answer counts when no later question was answered: in a flood there is always a later one. */
  const asking = useRef({ asked: 0, answered: 0 });
  const isOfThis = (known: EventsShown) => known.of === of && known.query === query;
  const failed = (problem: string) => setShown((known) => ({ ...known, state: 'failed', problem }));

  const read = useEffectEvent(async () => {
    const mine = asking.current;
    mine.asked += 1;
    const turn = mine.asked;
    const page = await listEvents(of, { ...query, atLeast: isOfThis(shown) ? shown.events.length : 0 });
    if (mine !== asking.current || turn < mine.answered) return;
    mine.answered = turn;
    if (!page.ok) return failed(page.error.message);
    const { unread, quarantined, held: hold } = page.value;
    const newest = newestFirst(page.value);
    setShown((known) => {
      // An unread list has no past worth keeping.
      const held = isOfThis(known) && !query.isUnreadOnly ? withNewest(known, newest) : newest;
      return { ...held, state: 'ready', of, query, unread, quarantined, held: hold, problem: '' };
    });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever asks for something else does not want these answers
  useEffect(() => {
    asking.current = { asked: 0, answered: 0 };
  }, [of, query]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the list is read again for
  useEffect(() => void read(), [of, query, news, changes]);

  async function readOlder(): Promise<void> {
    const before = shown.next;
    if (before === null) return;
    const page = await listEvents(of, { ...query, before });
    if (!page.ok) return failed(page.error.message);
    const older = newestFirst(page.value);
    setShown((known) => (isOfThis(known) ? { ...known, ...withOlder(known, before, older) } : known));
  }

  return { ...shown, readAgain: () => setChanges((count) => count + 1), readOlder };
}

function newestFirst({ events, next }: RouteOutput<'listEvents'>): HeldEvents {
  return { events: [...events].reverse(), next };
}
