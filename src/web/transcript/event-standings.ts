/** What became of events, gathered from the entries: later ones say more of those that arrived earlier. */
import type { Entry } from '../../contract/entry.ts';
import type { EventStanding } from '../../contract/external-event.ts';
import { type Deliveries, deliveryOf } from '../../core/conversations/reduce-deliveries.ts';

/** What the page knows of an event: also the words of the turn it went along with, when they are loaded. */
export interface ShownStanding extends EventStanding {
  readonly turn?: string;
  /** Its place in the ledger of the conversation's thread, where it is not the one its card has. */
  readonly movedTo?: number;
}

export type EventEntry = Extract<Entry, { role: 'external_event' }>;
/** By thread and number: a conversation whose thread was replaced has two that count from one. */
export type Standings = ReadonlyMap<string, ShownStanding>;

export function gatherStandings(entries: readonly Entry[], deliveries: Deliveries): Standings {
  const standings = new Map<string, ShownStanding>();
  const turns = new Map<string, string>();
  // First all of them: what Codex was given is told before it repeats the words it came with.
  for (const entry of entries) {
    if (entry.role !== 'user') continue;
    const { turn_id } = deliveryOf(entry, deliveries);
    if (turn_id !== undefined) nameTurn(turns, turn_id, entry.text);
  }
  /** The first key of an event that moved, by its later ones: its card has the first. */
  const firstKeys = new Map<string, string>();
  for (const entry of entries) {
    if (entry.role !== 'external_event') continue;
    if (entry.kind === 'moved') follow(entry, firstKeys, standings);
    // Events that do not wait any more stand where they stood.
    if (entry.kind === 'moved' && entry.state !== 'queued') continue;
    const { state, mode, reason, turn_id } = entry;
    const turn = turn_id === undefined ? undefined : turns.get(turn_id);
    const standing = {
      state,
      mode,
      ...(reason !== undefined && { reason }),
      ...(turn_id !== undefined && { turn_id }),
      ...(turn !== undefined && { turn }),
    };
    for (const seq of entry.event_seqs) {
      const key = eventKey(entry.thread_id, seq);
      const first = firstKeys.get(key);
      standings.set(key, standing);
      if (first !== undefined) standings.set(first, { ...standing, movedTo: seq });
    }
  }
  return standings;
}

/** Events have another place now; the card of each shows what becomes of it there. */
function follow(
  { thread_id, event_seqs, moved_from: from }: EventEntry,
  firstKeys: Map<string, string>,
  standings: Map<string, ShownStanding>,
): void {
  for (const [at, seq] of event_seqs.entries()) {
    const before = from?.event_seqs[at];
    if (from === undefined || before === undefined) continue;
    const old = eventKey(from.thread_id, before);
    const first = firstKeys.get(old) ?? old;
    firstKeys.set(eventKey(thread_id, seq), first);
    const stood = standings.get(first);
    if (stood === undefined) continue;
    standings.set(first, { ...stood, movedTo: seq });
    standings.set(eventKey(thread_id, seq), stood);
  }
}

/** By its first message: the others were said into it. */
function nameTurn(turns: Map<string, string>, turnId: string, text: string): void {
  if (!turns.has(turnId)) turns.set(turnId, text);
}

/** Where the event of a post is, for posts whose own entry does not say it, or not any more: by number, the last word counts. */
export function gatherTies(entries: readonly Entry[]): ReadonlyMap<number, string> {
  const ties = new Map<number, string>();
  for (const entry of entries) {
    if (entry.role !== 'external_event') continue;
    for (const { ingress, event_id, event_seq } of entry.events) {
      const num = ingress === 'board' ? /^board-(\d+)-/.exec(event_id)?.[1] : undefined;
      if (num !== undefined) ties.set(Number(num), eventKey(entry.thread_id, event_seq));
    }
  }
  return ties;
}

export const eventKey = (threadId: string, seq: number): string => `${threadId}:${seq}`;

/** Of one entry's events, the last word on each. */
export function standingsOf(entry: EventEntry, all: Standings): readonly ShownStanding[] {
  const own: ShownStanding = { state: entry.state, mode: entry.mode };
  return entry.events.map((event) => all.get(eventKey(entry.thread_id, event.event_seq)) ?? own);
}

export function isSameStandings(a: readonly ShownStanding[], b: readonly ShownStanding[]): boolean {
  return a.length === b.length && a.every((one, at) => isSame(one, b[at]));
}

function isSame(a: ShownStanding, b: ShownStanding | undefined): boolean {
  const isSamePlace = a.state === b?.state && a.mode === b.mode && a.reason === b.reason;
  return isSamePlace && a.turn_id === b.turn_id && a.turn === b.turn && a.movedTo === b.movedTo;
}
