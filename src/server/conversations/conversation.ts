/** One open conversation, assembled: its settings, its session, its thread in Codex, its messages and its pages. */
import type { ConversationMeta, ConversationRow } from '../../contract/conversation.ts';
import { type Entry, Entry as EntrySchema } from '../../contract/entry.ts';
import type { Result } from '../../contract/result.ts';
import { dropInFlight, forgetTold, settleInFlight } from '../../core/context/in-flight.ts';
import { compactHistory, historyFragments } from '../../core/conversations/compact-history.ts';
import { diffMetas, type Lifecycle } from '../../core/conversations/lifecycle.ts';
import { MAX_PREVIEW_CHARS } from '../../core/conversations/new-meta.ts';
import { noteActivity, previewOf, rowOfOpen } from '../../core/conversations/row.ts';
import type { OutboxInput } from '../../core/outbox/state.ts';
import { firstLine } from '../../core/text/cut.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import { createBus } from '../../node/bus.ts';
import { createHistory, type History } from './history.ts';
import { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts';
import type { CapabilitiesPort, CheckpointPort, CodexPort, ContextPort, EventPort, ProjectPort } from './ports.ts';
import { createReservation, type Reservation } from './reservation.ts';
import { createSentMessages, type SentMessages } from './sent-messages.ts';
import { openSession, type Session, type SessionDecision, type SessionPorts } from './session.ts';
import { createStoredMeta, type MetaChange } from './stored-meta.ts';
import { createThread, type Thread } from './thread.ts';

export interface Conversation {
  readonly session: Session;
  readonly thread: Thread;
  readonly outbox: Outbox;
  readonly history: History;
  readonly reservation: Reservation;
  meta(): ConversationMeta;
  /** Stores the change, and tells the lists. */
  changeMeta(change: MetaChange): Promise<Result<null>>;
  row(): ConversationRow;
  /** The next shell command of the user's that ends. */
  onceShellOutput(command: string): Promise<Extract<Entry, { role: 'shell_output' }>>;
  close(): Promise<void>;
}

export interface ConversationPorts
  extends Omit<SessionPorts, 'onLifecycle' | 'onEntry' | 'onRestored' | 'onDecision'>,
    Pick<OutboxOptions, 'newPrefix' | 'at'> {
  readonly codex: CodexPort;
  readonly context: ContextPort;
  readonly events: EventPort;
  readonly beforeTurn: CheckpointPort;
  readonly capabilities: CapabilitiesPort;
  readonly project: ProjectPort;
  /** The row that lists show has changed. */
  readonly onRow: (row: ConversationRow) => void;
  readonly onLifecycle: (event: Lifecycle) => void;
  /** A person stopped these turns: one, and those inside it. */
  readonly onInterrupted: (turnIds: readonly string[]) => void;
}

export async function openConversation(stored: ConversationMeta, ports: ConversationPorts): Promise<Conversation> {
  const shellWaiters: { command: string; done: (entry: Extract<Entry, { role: 'shell_output' }>) => void }[] = [];
  const sent = createSentMessages({
    ids: ports.store.openMessageIds(stored.conversation_id),
    onError: (error) => ports.log.warn({ error, id: stored.conversation_id }, 'the id of a message was not noted'),
  });
  const failed = (error: unknown) => ports.log.error({ error, id: stored.conversation_id }, 'the outbox did not hear');
  const decisions = createBus<SessionDecision>(failed);
  const changes = createBus<readonly Lifecycle[]>(failed);
  const sidecar = createStoredMeta({
    // A file from before there was the field: from here on only what is said moves the conversation in lists.
    stored: { ...stored, active_at: stored.active_at ?? stored.updated_at },
    save: ports.store.saveMeta,
    now: () => new Date(ports.clock.now()).toISOString(),
    onStored(before, after) {
      const events = diffMetas(before, after);
      ports.onRow(row());
      for (const event of events) ports.onLifecycle(event);
      changes.emit(events);
    },
  });
  const { current: meta, change: changeMeta } = sidecar;

  const onEntry = (entry: Entry) => {
    sent.see(entry);
    sidecar.note((now) => noteActivity(now, entry));
    const words = meta().preview === '' ? previewOf(entry) : null;
    if (words !== null) void changeMeta((now) => ({ ...now, preview: firstLine(words, MAX_PREVIEW_CHARS) }));
    if (entry.role === 'shell_output') {
      const at = shellWaiters.findIndex((one) => one.command === entry.command);
      if (at >= 0) shellWaiters.splice(at, 1)[0]?.done(entry);
    }
    // Whatever the model was told before is in a summary at best.
    if (entry.role === 'note' && entry.kind === 'compaction')
      void changeMeta((now) => ({ ...now, context_memory: forgetTold(now.context_memory) }));
    if (entry.role === 'status' || entry.role === 'approval' || entry.role === 'user') ports.onRow(row());
  };

  const session: Session = await openSession(stored, {
    ...ports,
    ask(ask) {
      ports.ask(ask);
      // Also for pages that follow another conversation: somebody is waited for.
      ports.onRow(row());
    },
    onEntry,
    onLifecycle(event) {
      // Lists show that it runs.
      if (event.type === 'turn_started') ports.onRow(row());
      // Also stores when it was last active. From now on Codex has a record of a new thread that a restart finds.
      if (event.type === 'turn_ended') void changeMeta((now) => ({ ...now, recovering: null }));
      ports.onLifecycle(event);
    },
    onDecision: decisions.emit,
    onRestored: (entries) => entries.forEach(sent.see),
  });

  const row = (): ConversationRow => rowOfOpen(meta(), session.publishedSeq(), session.state());

  const shared = { codex: ports.codex, session, store: ports.store, meta, changeMeta };
  const history = createHistory(shared);
  const earlier = async (lostThread: string) =>
    historyFragments(compactHistory(await newestEntries(history)), lostThread);
  const thread = createThread({
    ...shared,
    claim: ports.claim,
    project: ports.project,
    earlier,
    newestPast: history.newestTurn,
  });
  const reserved = createBus<null>(failed);
  const reservation = createReservation({
    clock: ports.clock,
    isTurnRunning: () => session.state().turn !== null,
    onChange: () => reserved.emit(null),
  });
  const outbox = createOutbox({ ...ports, ...shared, sent, thread, isReserved: reservation.isHeld });
  // First: the outbox must not start a message at the end of a turn that still holds the thread.
  decisions.subscribe(reservation.see);
  decisions.subscribe(outbox.accept);
  reserved.subscribe(outbox.refresh);
  changes.subscribe((events) => {
    const isReplaced = events.some((one) => one.type === 'thread_changed');
    if (isReplaced) outbox.accept({ type: 'thread_replaced' });
    outbox.refresh();
  });
  const found = await recovered(sent, stored, ports.context);
  outbox.accept(found);
  if (stored.context_memory.in_flight.length > 0) {
    const isOpen = (id: string) => [...found.unsettled, ...found.told].some((one) => one.id === id);
    const settle = await settledFlights(stored, sent, isOpen);
    await changeMeta(settle);
  }

  return {
    session,
    thread,
    outbox,
    history,
    reservation,
    meta,
    changeMeta,
    row,
    onceShellOutput: (command) => new Promise((done) => shellWaiters.push({ command, done })),
    async close() {
      outbox.close();
      await sent.drain();
      await sidecar.idle();
      await session.close();
      await history.close();
    },
  };
}

/** Far more than a short history has room for. */
const MAX_EARLIER_ENTRIES = 4_000;
const EARLIER_PAGE = 1_000;

/** Oldest first; lines that this version cannot read are left out. */
async function newestEntries(history: History): Promise<Entry[]> {
  let entries: Entry[] = [];
  for (let before: number | undefined; entries.length < MAX_EARLIER_ENTRIES; ) {
    const page = await history.page({ limit: EARLIER_PAGE, ...(before !== undefined && { before }) });
    entries = [...page.lines.flatMap(readEntry), ...entries];
    if (!page.hasMore || page.firstSeq === null || page.firstSeq === before) break;
    before = page.firstSeq;
  }
  return entries;
}

function readEntry(line: string): Entry[] {
  const parsed = EntrySchema.safeParse(parseJson(line));
  return parsed.success ? [parsed.data] : [];
}

/** What the disk says: the queue, messages nobody settled, and what each carried. */
async function recovered(
  sent: SentMessages,
  { conversation_id: id, queue, queue_paused: isPaused, context_memory }: ConversationMeta,
  context: ContextPort,
): Promise<Extract<OutboxInput, { type: 'recovered' }>> {
  const unsettled = await Promise.all(
    sent.unsettled().map(async (one) => ({ ...one, events: await context.eventsOf(id, one.id) })),
  );
  const queued = queue.map((one) => one.client_message_id);
  // A kill, or a full disk, may have come between the entry of a queued message and the sidecar without it.
  const given = queued.filter((one) => sent.storedAtMs(one) !== null);
  const flights = context_memory.in_flight.map((one) => one.client_message_id);
  const told: { id: string; events: readonly number[] }[] = [];
  for (const one of flights) {
    const events = (await sent.stateOf(one)) === 'delivered' ? await context.eventsOf(id, one) : [];
    if (events.length > 0) told.push({ id: one, events });
  }
  return { type: 'recovered', queue: queued, given, isPaused, unsettled, told };
}

/** A kill came before a message was stored, or between the entry that settled it and the sidecar. */
async function settledFlights(
  { context_memory: { in_flight } }: ConversationMeta,
  sent: SentMessages,
  isOpen: (clientMessageId: string) => boolean,
): Promise<(meta: ConversationMeta) => ConversationMeta> {
  const ids = in_flight.map((one) => one.client_message_id).filter((id) => !isOpen(id));
  const states = await Promise.all(ids.map(async (id) => ({ id, state: await sent.stateOf(id) })));
  return (meta) =>
    states.reduce((next, { id, state }) => (state === 'delivered' ? settleInFlight : dropInFlight)(next, id), meta);
}
