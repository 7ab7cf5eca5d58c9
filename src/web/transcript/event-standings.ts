/** What became of events, gathered from the entries: later ones say more of those that arrived earlier. */
import type { Entry } from '../../contract/entry.ts';
import type { EventStanding } from '../../contract/external-event.ts';

export type EventEntry = Extract<Entry, { role: 'external_event' }>;
/** By thread and number: a conversation whose thread was replaced has two that count from one. */
export type Standings = ReadonlyMap<string, EventStanding>;

export function gatherStandings(entries: readonly Entry[]): Standings {
  const standings = new Map<string, EventStanding>();
  for (const entry of entries) {
    if (entry.role !== 'external_event') continue;
    const { state, mode, reason, turn_id } = entry;
    const standing = {
      state,
      mode,
      ...(reason !== undefined && { reason }),
      ...(turn_id !== undefined && { turn_id }),
    };
    for (const seq of entry.event_seqs) standings.set(eventKey(entry.thread_id, seq), standing);
  }
  return standings;
}

export const eventKey = (threadId: string, seq: number): string => `${threadId}:${seq}`;

/** Of one entry's events, the last word on each. */
export function standingsOf(entry: EventEntry, all: Standings): readonly EventStanding[] {
  const own: EventStanding = { state: entry.state, mode: entry.mode };
  return entry.events.map((event) => all.get(eventKey(entry.thread_id, event.event_seq)) ?? own);
}

export function isSameStandings(a: readonly EventStanding[], b: readonly EventStanding[]): boolean {
  return a.length === b.length && a.every((one, at) => isSame(one, b[at]));
}

function isSame(a: EventStanding, b: EventStanding | undefined): boolean {
  return a.state === b?.state && a.mode === b.mode && a.reason === b.reason && a.turn_id === b.turn_id;
}
