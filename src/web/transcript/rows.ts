/**
 * Entries and live items → rows of the transcript. A row keeps its key from the first delta to the reload a week later,
 * and its identity for as long as nothing about it changed, so that a row that did not change is not rendered again.
 */
import type { PendingApproval } from '../../contract/approval.ts';
import type { Entry } from '../../contract/entry.ts';
import type { LiveItem } from '../../contract/ui-event.ts';
import { EMPTY_LIVE, type LiveState } from '../../core/conversations/live.ts';
import {
  gatherDeliveries,
  isSameDelivery,
  type MessageDelivery,
  type Reach,
} from '../../core/conversations/reduce-deliveries.ts';
import {
  type EventEntry,
  eventKey,
  gatherStandings,
  gatherTies,
  isSameStandings,
  type ShownStanding,
  type Standings,
  standingsOf,
} from './event-standings.ts';
import { placeMessages, type ShownMessage } from './message-places.ts';
import { placeStopped } from './place-stopped.ts';

type EntryWith<R extends Entry['role']> = Extract<Entry, { role: R }>;

export type { EntryWith as EntryWithSeq };

export type Row =
  | {
      readonly kind: 'entry';
      readonly key: string;
      readonly entry: Entry;
      /** What the output in `entry` answers: it knows where and when the command began. */
      readonly input?: EntryWith<'shell_input'>;
      /** What became of the event that a post is for the model. */
      readonly standing?: ShownStanding;
    }
  | {
      readonly kind: 'message';
      readonly key: string;
      readonly entry: EntryWith<'user'>;
      /** What became of the message; also names its turn, which the entry itself may not know. */
      readonly delivery: MessageDelivery;
    }
  | { readonly kind: 'live'; readonly key: string; readonly item: LiveItem }
  | {
      readonly kind: 'reasoning';
      readonly key: string;
      readonly entries: readonly EntryWith<'reasoning'>[];
      readonly live: readonly LiveItem[];
      /** How long it took: from the entry before the first to the last; null when unknown. */
      readonly durationMs: number | null;
    }
  | {
      readonly kind: 'events';
      readonly key: string;
      readonly entry: EventEntry;
      /** The last word on each of the entry's events. */
      readonly standings: readonly ShownStanding[];
    }
  | { readonly kind: 'asking'; readonly key: string; readonly approval: PendingApproval }
  | AgentRow;

/** All that is known of one sub-agent, at the place where it was first told of. */
export interface AgentRow {
  readonly kind: 'agent';
  readonly key: string;
  readonly entries: readonly EntryWith<'tool'>[];
  /** Its running turn. */
  readonly live: LiveTool | null;
}

type LiveTool = Extract<LiveItem, { role: 'tool' }>;

export interface Transcript {
  readonly keys: readonly string[];
  /** Row of each key that is on disk. */
  readonly settled: ReadonlyMap<string, Row>;
  /** Rows being made; these win over `settled`. */
  readonly making: ReadonlyMap<string, Row>;
  readonly endedTurns: ReadonlySet<string>;
  readonly source: { readonly entries: readonly Entry[]; readonly live: LiveState };
  readonly settledKeys: readonly string[];
  /** Messages for the running turn that Codex has not taken up yet: shown below the rows being made. */
  readonly waitingKeys: readonly string[];
}

export const EMPTY_TRANSCRIPT: Transcript = {
  keys: [],
  settled: new Map(),
  making: new Map(),
  endedTurns: new Set(),
  source: { entries: [], live: EMPTY_LIVE },
  settledKeys: [],
  waitingKeys: [],
};

export function rowOf(transcript: Transcript, key: string): Row | undefined {
  return transcript.making.get(key) ?? transcript.settled.get(key);
}

/** `reach` says whether `entries` go up to the end of the transcript. */
export function deriveTranscript(
  before: Transcript,
  entries: readonly Entry[],
  live: LiveState,
  reach: Reach = 'end',
): Transcript {
  const isSameEntries = before.source.entries === entries;
  if (isSameEntries && before.source.live.items === live.items && before.source.live.approvals === live.approvals) {
    return before;
  }
  const base = isSameEntries ? pickSettled(before) : settle(entries, before, reach);
  const { making, added } = make(base.settled, base.settledKeys, live, before);
  const ordered = placeStopped(
    [...base.settledKeys, ...added, ...base.waitingKeys],
    (key) => making.get(key) ?? base.settled.get(key),
  );
  const keys = sameKeys(before.keys, ordered);
  return { ...base, making, keys, source: { entries, live } };
}

/** The array of before if nothing was added or taken, so that the list is not rendered for a delta. */
function sameKeys(before: readonly string[], after: readonly string[]): readonly string[] {
  const isSame = before.length === after.length && after.every((key, at) => key === before[at]);
  return isSame ? before : after;
}

type Settled = Pick<Transcript, 'settled' | 'settledKeys' | 'waitingKeys' | 'endedTurns'>;

function pickSettled({ settled, settledKeys, waitingKeys, endedTurns }: Transcript): Settled {
  return { settled, settledKeys, waitingKeys, endedTurns };
}

function settle(entries: readonly Entry[], before: Transcript, reach: Reach): Settled {
  const settled = new Map<string, Row>();
  const endedTurns = new Set<string>();
  let lastKey = '';
  let lastTs: string | null = null;
  const deliveries = gatherDeliveries(entries, reach);
  const standings = gatherStandings(entries, deliveries);
  const ties = gatherTies(entries);
  const messages = placeMessages(entries, deliveries);
  const putMessage = (message: ShownMessage): string => {
    const key = freeKey(settled, message.entry);
    settled.set(key, messageRow(before.settled.get(key), key, message));
    return key;
  };
  for (const entry of entries) {
    if (entry.role === 'status' && entry.turn_id !== undefined) endedTurns.add(entry.turn_id);
    const message = messages.bySeq.get(entry.seq);
    if (message !== undefined) {
      lastKey = putMessage(message);
      lastTs = entry.ts;
      continue;
    }
    if (!isShown(entry)) continue;
    const last = settled.get(lastKey);
    const post = entry.role === 'board' ? standingOfPost(entry, ties, standings) : undefined;
    if (entry.role === 'board' && post !== undefined) {
      const key = keyOfEntry(entry);
      settled.set(key, postRow(before.settled.get(key), key, entry, post));
      lastKey = key;
    } else if (entry.role === 'external_event') {
      const key = `seq:${entry.seq}`;
      settled.set(key, eventRow(before.settled.get(key), key, entry, standingsOf(entry, standings)));
      lastKey = key;
    } else if (entry.role === 'tool' && entry.agent !== undefined) {
      const key = agentKey(entry.agent.thread_id);
      const isNew = !settled.has(key);
      settled.set(key, agentRow(before.settled.get(key), key, [...agentEntries(settled.get(key)), entry]));
      if (isNew) lastKey = key;
    } else if (entry.role === 'reasoning' && last?.kind === 'reasoning') {
      settled.set(lastKey, joined(before.settled.get(lastKey), last, entry));
    } else {
      const key = freeKey(settled, entry);
      const isSame = (row: Row | undefined): row is Row => row?.kind === 'entry' && row.entry === entry;
      const known = before.settled.get(key);
      const input = inputIn(settled.get(key));
      const isKnown = isSame(known) && inputIn(known) === input;
      settled.set(key, isKnown ? known : rowOfEntry(key, entry, lastTs, input));
      lastKey = key;
    }
    lastTs = entry.ts;
  }
  const settledKeys = [...settled.keys()];
  return { settled, settledKeys, waitingKeys: messages.waiting.map(putMessage), endedTurns };
}

function standingOfPost(
  { num, receipt }: EntryWith<'board'>,
  ties: ReadonlyMap<number, string>,
  standings: Standings,
): ShownStanding | undefined {
  const own = receipt === undefined ? undefined : eventKey(receipt.thread_id, receipt.event_seq);
  const key = ties.get(num) ?? own;
  return (key === undefined ? undefined : standings.get(key)) ?? receipt;
}

/** Messages are placed apart. */
function isShown(entry: Entry): boolean {
  if (entry.role === 'token_usage' || entry.role === 'delivery' || entry.role === 'user') return false;
  // What became of an event is told at the event; a post is there already, as a card of its own.
  if (entry.role === 'external_event')
    return entry.kind === 'received' && entry.events.some((one) => one.ingress !== 'board');
  return entry.role !== 'reasoning' || entry.text.trim() !== '';
}

function inputIn(row: Row | undefined): EntryWith<'shell_input'> | undefined {
  if (row?.kind !== 'entry') return undefined;
  return row.entry.role === 'shell_input' ? row.entry : row.input;
}

/** A shell command's output takes the place of its input; anything else that shares a key gets its own. */
function freeKey(taken: ReadonlyMap<string, Row>, entry: Entry): string {
  const key = keyOfEntry(entry);
  return taken.has(key) && entry.role !== 'shell_output' ? `seq:${entry.seq}` : key;
}

function keyOfEntry(entry: Entry): string {
  if (entry.role === 'approval') return `approval:${entry.approval_id}`;
  if ((entry.role === 'shell_input' || entry.role === 'shell_output') && entry.block_id !== undefined) {
    return `block:${entry.block_id}`;
  }
  if (entry.item_id === undefined) return `seq:${entry.seq}`;
  const role = entry.role === 'shell_input' || entry.role === 'shell_output' ? 'shell' : entry.role;
  return `${role}:${entry.turn_id ?? ''}:${entry.item_id}`;
}

function keyOfLive(item: LiveItem): string {
  const role = item.role === 'command' && item.user_shell ? 'shell' : item.role;
  return `${role}:${item.turn_id}:${item.item_id}`;
}

function rowOfEntry(
  key: string,
  entry: Entry,
  previousTs: string | null,
  input: EntryWith<'shell_input'> | undefined,
): Row {
  if (entry.role === 'shell_output' && input !== undefined) return { kind: 'entry', key, entry, input };
  if (entry.role !== 'reasoning') return { kind: 'entry', key, entry };
  return { kind: 'reasoning', key, entries: [entry], live: [], durationMs: between(previousTs, entry.ts) };
}

function messageRow(known: Row | undefined, key: string, { entry, delivery }: ShownMessage): Row {
  const isKnown = known?.kind === 'message' && known.entry === entry && isSameDelivery(known.delivery, delivery);
  return isKnown ? known : { kind: 'message', key, entry, delivery };
}

function eventRow(known: Row | undefined, key: string, entry: EventEntry, standings: readonly ShownStanding[]): Row {
  const isKnown = known?.kind === 'events' && known.entry === entry && isSameStandings(known.standings, standings);
  return isKnown ? known : { kind: 'events', key, entry, standings };
}

function postRow(known: Row | undefined, key: string, entry: EntryWith<'board'>, standing: ShownStanding): Row {
  const isKnown =
    known?.kind === 'entry' &&
    known.entry === entry &&
    isSameStandings([standing], known.standing ? [known.standing] : []);
  return isKnown ? known : { kind: 'entry', key, entry, standing };
}

export const agentKey = (threadId: string): string => `agent:${threadId}`;

function agentEntries(row: Row | undefined): AgentRow['entries'] {
  return row?.kind === 'agent' ? row.entries : [];
}

function agentRow(known: Row | undefined, key: string, entries: AgentRow['entries']): AgentRow {
  const isKnown =
    known?.kind === 'agent' &&
    known.entries.length === entries.length &&
    known.entries.every((one, at) => one === entries[at]);
  return isKnown ? known : { kind: 'agent', key, entries, live: null };
}

type ReasoningRow = Extract<Row, { kind: 'reasoning' }>;

function joined(known: Row | undefined, row: ReasoningRow, entry: EntryWith<'reasoning'>): ReasoningRow {
  const entries = [...row.entries, entry];
  const isKnown =
    known?.kind === 'reasoning' &&
    known.entries.length === entries.length &&
    known.entries.every((one, at) => one === entries[at]);
  if (isKnown) return known;
  const more = between(row.entries.at(-1)?.ts ?? null, entry.ts);
  const durationMs = row.durationMs === null || more === null ? null : row.durationMs + more;
  return { ...row, entries, durationMs };
}

function between(from: string | null, to: string): number | null {
  if (from === null) return null;
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

interface Making {
  readonly making: ReadonlyMap<string, Row>;
  readonly added: readonly string[];
}

function make(
  settled: ReadonlyMap<string, Row>,
  settledKeys: readonly string[],
  live: LiveState,
  before: Transcript,
): Making {
  const making = new Map<string, Row>();
  const added: string[] = [];
  let lastKey = settledKeys.at(-1) ?? '';
  const put = (row: Row) => {
    if (!settled.has(row.key) && !making.has(row.key)) added.push(row.key);
    making.set(row.key, row);
    lastKey = row.key;
  };
  for (const item of live.items) {
    if (item.role === 'reasoning') {
      if (item.text.trim() === '') continue;
      const last = making.get(lastKey) ?? settled.get(lastKey);
      if (last?.kind === 'reasoning') put({ ...last, live: [...last.live, item] });
      else put({ kind: 'reasoning', key: keyOfLive(item), entries: [], live: [item], durationMs: null });
      continue;
    }
    if (item.role === 'tool' && item.agent !== undefined) {
      const key = agentKey(item.agent.thread_id);
      const entries = agentEntries(settled.get(key));
      const known = before.making.get(key);
      const isKnown = known?.kind === 'agent' && known.live === item && known.entries === entries;
      const row: Row = isKnown ? known : { kind: 'agent', key, entries, live: item };
      // Told of before, it stays in its place and what follows is joined as if it were not there.
      if (settled.has(key)) making.set(key, row);
      else put(row);
      continue;
    }
    const key = keyOfLive(item);
    const known = before.making.get(key);
    put(known?.kind === 'live' && known.item === item ? known : { kind: 'live', key, item });
  }
  for (const approval of live.approvals) {
    // The thing in question says itself that it waits.
    if (live.items.some((item) => item.item_id === approval.item_id && saysThatItWaits(item))) continue;
    const key = `approval:${approval.approval_id}`;
    const known = before.making.get(key);
    put(known?.kind === 'asking' && known.approval === approval ? known : { kind: 'asking', key, approval });
  }
  return { making, added };
}

function saysThatItWaits(item: LiveItem): boolean {
  return item.role === 'command' || item.role === 'tool' || (item.role === 'diff' && item.text === '');
}
