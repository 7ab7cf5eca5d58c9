/** Pages of events put together, newest first. Pure. */
import type { EventRecord } from '../../contract/external-event.ts';

/** What is held of a list: all that fit from the newest on, down to `next`. */
export interface HeldEvents {
  readonly events: readonly EventRecord[];
  /** Where to go on; null when there is nothing older. */
  readonly next: number | null;
}

/** The newest page, and what was paged back to before, unless something may have been missed between the two. */
export function withNewest(held: HeldEvents, page: HeldEvents): HeldEvents {
  const { next } = page;
  const top = held.events[0]?.event_seq;
  if (next === null || top === undefined || top < next) return page;
  const older = held.events.filter((event) => event.event_seq < next);
  return older.length === 0 ? page : { events: [...page.events, ...older], next: held.next };
}

/** The page before `before`; nothing when the list has gone on without it. */
export function withOlder(held: HeldEvents, before: number, page: HeldEvents): HeldEvents {
  return held.next === before ? { events: [...held.events, ...page.events], next: page.next } : held;
}
