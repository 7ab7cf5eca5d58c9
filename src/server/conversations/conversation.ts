/** One open conversation, assembled: its settings, its session, its thread in Codex, its messages and its pages. */
import type { ConversationMeta, ConversationRow } from '../../contract/conversation.ts';
import type { Entry } from '../../contract/entry.ts';
import type { Result } from '../../contract/result.ts';
import { dropInFlight, forgetTold, settleInFlight } from '../../core/context/in-flight.ts';
import { diffMetas, type Lifecycle } from '../../core/conversations/lifecycle.ts';
import { MAX_PREVIEW_CHARS } from '../../core/conversations/new-meta.ts';
import { rowOfOpen } from '../../core/conversations/row.ts';
import type { OutboxInput } from '../../core/outbox/state.ts';
import { firstLine } from '../../core/text/cut.ts';
import { createBus } from '../../node/bus.ts';
import { createHistory, type History } from './history.ts';
import { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts';
import type { CapabilitiesPort, CodexPort, ContextPort, EventPort, ProjectPort } from './ports.ts';
import { createReservation, type Reservation } from './reservation.ts';
import { createSentMessages, type SentMessages } from './sent-messages.ts';
import { openSession, type Session, type SessionDecision, type SessionPorts } from './session.ts';
import { createThread, type Thread } from './thread.ts';

export interface Conversation {
  readonly session: Session;
  readonly thread: Thread;
  readonly outbox: Outbox;
  readonly history: History;
  readonly reservation: Reservation;
  meta(): ConversationMeta;
  /** Stores it, and tells the lists. */
  saveMeta(meta: ConversationMeta): Promise<Result<null>>;
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
  readonly capabilities: CapabilitiesPort;
  readonly project: ProjectPort;
  /** The row that lists show has changed. */
  readonly onRow: (row: ConversationRow) => void;
  readonly onLifecycle: (event: Lifecycle) => void;
}

export async function openConversation(stored: ConversationMeta, ports: ConversationPorts): Promise<Conversation> {
  let meta = stored;
  const shellWaiters: { command: string; done: (entry: Extract<Entry, { role: 'shell_output' }>) => void }[] = [];
  const now = () => new Date(ports.clock.now()).toISOString();

  const sent = createSentMessages({
    ids: ports.store.openMessageIds(stored.conversation_id),
    onError: (error) => ports.log.warn({ error, id: stored.conversation_id }, 'the id of a message was not noted'),
  });
  const failed = (error: unknown) => ports.log.error({ error, id: stored.conversation_id }, 'the outbox did not hear');
  const decisions = createBus<SessionDecision>(failed);

  const onEntry = (entry: Entry) => {
    sent.see(entry);
    if (entry.role === 'user' && meta.preview === '')
      void saveMeta({ ...meta, preview: firstLine(entry.text, MAX_PREVIEW_CHARS) });
    if (entry.role === 'shell_output') {
      const at = shellWaiters.findIndex((one) => one.command === entry.command);
      if (at >= 0) shellWaiters.splice(at, 1)[0]?.done(entry);
    }
    // Whatever the model was told before is in a summary at best.
    if (entry.role === 'note' && entry.kind === 'compaction')
      void saveMeta({ ...meta, context_memory: forgetTold(meta.context_memory) });
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
      ports.onLifecycle(event);
    },
    onDecision: decisions.emit,
    onRestored: (entries) => entries.forEach(sent.see),
  });

  /** One write at a time, so that the file is never older than what was promised. */
  let saving: Promise<unknown> = Promise.resolve();
  let saved = stored;
  const changes = createBus<readonly Lifecycle[]>(failed);
  const saveMeta = async (next: ConversationMeta): Promise<Result<null>> => {
    const before = meta;
    const changed = { ...next, updated_at: now() };
    meta = changed;
    const write = saving.then(() => ports.store.saveMeta(changed));
    saving = write;
    const outcome = await write;
    if (!outcome.ok && meta === changed) meta = before;
    if (!outcome.ok) return outcome;
    const events = diffMetas(saved, changed);
    saved = changed;
    ports.onRow(row());
    for (const event of events) ports.onLifecycle(event);
    changes.emit(events);
    return outcome;
  };

  const row = (): ConversationRow => rowOfOpen(meta, session.publishedSeq(), session.state());

  const shared = { codex: ports.codex, session, store: ports.store, meta: () => meta, saveMeta };
  const thread = createThread({ ...shared, claim: ports.claim, project: ports.project });
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
  const history = createHistory(shared);
  const found = await recovered(sent, stored, ports.context);
  outbox.accept(found);
  if (stored.context_memory.in_flight.length > 0) {
    const isOpen = (id: string) => [...found.unsettled, ...found.told].some((one) => one.id === id);
    const settle = await settledFlights(stored, sent, isOpen);
    await saveMeta(settle(meta));
  }

  return {
    session,
    thread,
    outbox,
    history,
    reservation,
    meta: () => meta,
    saveMeta,
    row,
    onceShellOutput: (command) => new Promise((done) => shellWaiters.push({ command, done })),
    async close() {
      outbox.close();
      await sent.drain();
      await saving;
      await session.close();
      await history.close();
    },
  };
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
