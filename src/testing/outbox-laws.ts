/** What must hold in the simulated world of the outbox when everything has come to rest. */
import type { DeliveryState, MessageMode } from '../contract/entry.ts';
import type { EventStanding } from '../contract/external-event.ts';
import type { Answer, OutboxInput, OutboxState } from '../core/outbox/state.ts';

export interface SimulatedDisk {
  queue: string[];
  isPaused: boolean;
  users: { readonly id: string; readonly mode: MessageMode }[];
  /** The events each message carries, written before it goes. */
  records: Map<string, readonly number[]>;
  deliveries: { readonly id: string; readonly state: DeliveryState; readonly turnId: string | null }[];
  standings: Map<number, EventStanding>;
  /** Events that are being put into the history, with the id of the injection. */
  sending: Map<number, string>;
  /** Messages whose context and events are not known to be settled. */
  flights: Set<string>;
}

export interface Kept {
  readonly id: string;
  readonly turnId: string;
  readonly kind: 'turn' | 'steer' | 'inject';
  readonly events?: readonly number[];
}

export interface SimulatedCodex {
  isAlive: boolean;
  /** On its disk: outlives a kill. */
  history: Kept[];
  /** Said yes to, not yet on its disk. */
  unkept: Kept[];
  turn: string | null;
  signals: OutboxInput[];
  turns: number;
  deaths: number;
}

export interface Books {
  readonly submitted: Map<
    string,
    {
      readonly mode: MessageMode;
      readonly answers: Answer[];
      /** False for what was sent while the queue was paused: it overtakes the queue on purpose. */
      readonly isOrdered: boolean;
    }
  >;
  readonly stops: Map<string, { readonly answers: number; readonly life: number }>;
  submissions: string[];
  /** `answered`: how many answers its message had before. */
  readonly sendNows: { readonly id: string; readonly answered: number; readonly life: number }[];
  /** Laws broken in passing. */
  readonly broken: string[];
  eventCount: number;
}

export const newBooks = (): Books => ({
  submitted: new Map(),
  stops: new Map(),
  submissions: [],
  sendNows: [],
  broken: [],
  eventCount: 0,
});

interface Simulation {
  readonly disk: SimulatedDisk;
  readonly codex: SimulatedCodex;
  readonly books: Books;
  readonly state: OutboxState;
  /** Counts the starts of the server. */
  readonly life: number;
}

export function faultsOf(one: Simulation): string[] {
  return [...one.books.broken, ...messageFaults(one), ...orderFaults(one), ...eventFaults(one), ...stuckFaults(one)];
}

const messageFaults = ({ books, codex, disk }: Simulation): string[] =>
  [...books.submitted].flatMap(([id, { answers, mode }]) => {
    const faults: string[] = [];
    const told = codex.history.filter((one) => one.id === id);
    const entry = disk.users.filter((one) => one.id === id).length;
    const final = disk.deliveries.findLast((one) => one.id === id)?.state ?? (entry > 0 ? 'sent' : null);
    const isQueued = disk.queue.includes(id);
    if (told.length > 1) faults.push(`${id}: told ${told.length} times`);
    if (entry > 1) faults.push(`${id}: ${entry} user entries`);
    if (told.length === 1 && final !== 'delivered') faults.push(`${id}: Codex has it, but it is ${final}`);
    if (told.length === 0 && final === 'delivered') faults.push(`${id}: delivered, but Codex does not have it`);
    if (final === 'sent') faults.push(`${id}: never settled`);
    if (isQueued && entry > 0) faults.push(`${id}: in the queue and in the transcript`);
    const isTaken = answers.some((one) => one.outcome !== 'refused' || one.isStored);
    if (isTaken && entry === 0 && !isQueued) faults.push(`${id}: taken, and gone`);
    if (mode === 'steer' && told.some((one) => one.kind !== 'steer')) faults.push(`${id}: a steer became a turn`);
    return faults;
  });

/** Of those that reached Codex as turns: in the order they were submitted. Steers go into the turn that runs. */
const orderFaults = ({ books, codex }: Simulation): string[] => {
  const told = [...new Set(codex.history.filter((one) => one.kind === 'turn').map((one) => one.id))].filter(
    (id) => books.submitted.get(id)?.isOrdered,
  );
  const wanted = books.submissions.filter((id) => told.includes(id));
  const isSame = told.every((id, at) => id === wanted[at]);
  return isSame ? [] : [`order: ${told.join(' ')} instead of ${wanted.join(' ')}`];
};

const eventFaults = ({ books, codex, disk }: Simulation): string[] => {
  const faults: string[] = [];
  for (let seq = 1; seq <= books.eventCount; seq += 1) {
    const withMessage = disk.users.filter(
      ({ id }) => disk.records.get(id)?.includes(seq) && codex.history.some((one) => one.id === id),
    ).length;
    const byInjection = codex.history.filter((one) => one.events?.includes(seq)).length;
    const told = withMessage + byInjection;
    const standing = disk.standings.get(seq)?.state;
    if (told > 1) faults.push(`event ${seq}: told ${told} times`);
    if (told === 1 && standing !== 'delivered' && standing !== 'appended')
      faults.push(`event ${seq}: told, but ${standing}`);
    if (told === 0 && standing !== 'queued' && standing !== 'held')
      faults.push(`event ${seq}: not told, but ${standing}`);
  }
  return faults;
};

const stuckFaults = ({ books, state, life }: Simulation): string[] => {
  const faults: string[] = [];
  if (state.pending.length > 0)
    faults.push(`stuck: ${state.pending.map((one) => `${one.id} ${one.stage}`).join(', ')}`);
  if (state.busy !== null) faults.push(`stuck: busy with ${state.busy.kind}`);
  if (state.queue.length > 0) faults.push(`stuck: queue of ${state.queue.length}`);
  for (const [id, { answers, life: asked }] of books.stops)
    if (answers > 1 || (answers === 0 && asked === life)) faults.push(`${id}: answered ${answers} times`);
  for (const { id, answered, life: asked } of books.sendNows) {
    const now = books.submitted.get(id)?.answers.length ?? 0;
    if (asked === life && now <= answered) faults.push(`${id}: send now was not answered`);
  }
  return faults;
};
