/** Does what the outbox decided: stores, loads, gives, looks up. Decides nothing; each outcome goes back as an input. */
import type { ConversationMeta, QueuedMessage } from '../../contract/conversation.ts';
import { type Failure, fail, type Result } from '../../contract/result.ts';
import { deliveryEntry, userEntry, warningEntry, wordsFor } from '../../core/outbox/entries.ts';
import type { OutboxInput, OutboxOutput, OutboxState } from '../../core/outbox/state.ts';
import { type Clock, within } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { isDirectory } from '../../node/path-kind.ts';
import { createGiver, type Prepared } from './give-to-codex.ts';
import { lookUp, type Wanted } from './look-up.ts';
import type { CheckpointPort, CodexPort, ContextPort, EventPort } from './ports.ts';
import { bodyOfQueued, type MessageBody, type SentMessages } from './sent-messages.ts';
import type { Session } from './session.ts';
import type { MetaChange } from './stored-meta.ts';
import { createStoredQueue } from './stored-queue.ts';
import type { Thread } from './thread.ts';

export interface PerformOptions {
  readonly codex: CodexPort;
  readonly context: ContextPort;
  readonly events: EventPort;
  readonly beforeTurn: CheckpointPort;
  readonly session: Session;
  readonly thread: Thread;
  readonly sent: SentMessages;
  readonly meta: () => ConversationMeta;
  readonly changeMeta: (change: MetaChange) => Promise<Result<null>>;
  readonly onInterrupted: (turnIds: readonly string[]) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

type OutputOf<D extends OutboxOutput['do']> = Extract<OutboxOutput, { do: D }>;
type Reply = (input: OutboxInput) => void;

export type Performer = ReturnType<typeof createPerformer>;

/** A disk that takes longer than this has failed for whoever waits for the answer. */
const STORE_MS = 10_000;

const NOTHING_PREPARED: Prepared = { along: { carried: [] }, threadId: null };

const NO_WORDS: MessageBody = { text: '', images: [] };

export function createPerformer(options: PerformOptions) {
  const { codex, session, thread, sent, meta, log } = options;
  const { conversation_id: id } = meta();
  const prepared = new Map<string, Prepared>();

  const queue = createStoredQueue(options);

  const warn = (what: string) => (error: unknown) => log.error({ error, id }, what);

  /** The sidecar of a conversation that is being closed or whose disk is full may not take it; the transcript has it. */
  const later = (task: Promise<unknown>, what: string) => void task.catch(warn(what));

  const savedLater = (task: Promise<Result<null>>, what: string) =>
    later(
      task.then((done) => {
        if (!done.ok) log.warn({ id, message: done.error.message }, what);
      }),
      what,
    );

  const bodyOf = (messageId: string, mode: 'send' | 'steer' | 'queue', origin: 'person' | 'events'): MessageBody => {
    if (origin === 'events') return { text: wordsFor(mode), images: [] };
    const queued = meta().queue.find((one) => one.client_message_id === messageId);
    // Somebody may have edited it in the queue.
    return queued !== undefined ? bodyOfQueued(queued) : (sent.body(messageId) ?? NO_WORDS);
  };

  /** What became of events is on disk up to here; rejected when the last of it could not be stored. */
  let noted: Promise<unknown> = Promise.resolve();
  /** So is what became of the context of messages; each waits for the one before it, since it waits for `noted`. */
  let settled: Promise<unknown> = Promise.resolve();

  return {
    async enqueue({ id: messageId, isFirst }: OutputOf<'enqueue'>, reply: Reply): Promise<void> {
      const body = sent.body(messageId) ?? NO_WORDS;
      const entry: QueuedMessage = {
        client_message_id: messageId,
        text: body.text,
        images: [...body.images],
        queued_at: new Date(options.clock.now()).toISOString(),
        ...(body.retryOf !== undefined && { retry_of: body.retryOf }),
      };
      const done = await queue.add(entry, isFirst);
      if (done.ok) sent.note(messageId);
      sent.forget(messageId);
      reply(
        done.ok
          ? { type: 'queue_stored', id: messageId }
          : { type: 'queue_not_stored', id: messageId, failure: done.error },
      );
    },

    removeFromQueue: ({ id: messageId }: OutputOf<'remove_from_queue'>): void => queue.remove(messageId),

    close: queue.close,

    pauseQueue: ({ isPaused }: OutputOf<'pause_queue'>): void =>
      savedLater(
        options.changeMeta((now) => ({ ...now, queue_paused: isPaused })),
        'the queue was not paused',
      ),

    async load({ id: messageId, mode, origin }: OutputOf<'load'>, reply: Reply): Promise<void> {
      sent.keep(messageId, bodyOf(messageId, mode, origin));
      const { cwd } = meta();
      const isThere = mode === 'steer' || (await isDirectory(cwd));
      const ready = isThere
        ? await thread.ensure()
        : fail('missing_cwd', `the directory ${cwd} does not exist: choose another`);
      if (!ready.ok) return reply({ type: 'not_prepared', id: messageId, failure: ready.error });
      await options.events.catchUp(id).catch(warn('events that waited could not be read'));
      reply({ type: 'loaded', id: messageId });
    },

    async prepare({ id: messageId, events }: OutputOf<'prepare'>, reply: Reply): Promise<void> {
      const { thread_id: threadId } = meta();
      // A message that goes again: what became of its first try must not be noted after what it carries now.
      await within(options.clock, STORE_MS, settled).catch(() => undefined);
      const along = await options.context.prepare(id, messageId, events);
      prepared.set(messageId, { along, threadId });
      const hasEvents = along.carried.some((one) => one.name === 'events');
      reply({ type: 'prepared', id: messageId, hasEvents });
    },

    async store({ id: messageId, mode }: OutputOf<'store'>, reply: Reply): Promise<void> {
      const body = sent.body(messageId) ?? NO_WORDS;
      const entry = userEntry(messageId, mode, body, prepared.get(messageId)?.along.carried ?? []);
      session.accept({ type: 'message.stored', clientMessageId: messageId, text: body.text });
      const isStored = await within(options.clock, STORE_MS, session.append(entry)).catch(() => false);
      if (isStored) {
        sent.note(messageId);
        return reply({ type: 'entry_stored', id: messageId });
      }
      // Its line waits for the disk: should it get there, the next line says that Codex never had the message.
      const reason = { reason: 'storage_full', text: 'The disk was full: the message was not sent.' };
      void session.append({ role: 'delivery', client_message_id: messageId, state: 'not_delivered', ...reason });
      const failure: Failure = { code: 'storage_full', message: 'the disk is full: the message was not sent' };
      reply({ type: 'entry_not_stored', id: messageId, failure });
    },

    give: createGiver({ ...options, prepared: (messageId) => prepared.get(messageId) ?? NOTHING_PREPARED }),

    entry(output: OutputOf<'entry'>): void {
      const { id: messageId, state, turnId } = output;
      prepared.delete(messageId);
      later(session.append(deliveryEntry(output)), 'the delivery of a message was not noted');
      if (state === 'not_delivered') session.accept({ type: 'message.undelivered', clientMessageId: messageId });
      if (state === 'delivered')
        session.accept({ type: 'message.delivered', clientMessageId: messageId, deliveredIn: turnId });
    },

    /**
     * After the events are noted: until then the sidecar says which message carried them, and a restart notes them. What was not delivered
     * goes with the next message, whether or not that was noted.
     */
    settle({ id: messageId, isDelivered }: OutputOf<'settle'>): void {
      const before = isDelivered ? noted : noted.catch(() => undefined);
      const task = before.then(() => options.context.settle(id, messageId, isDelivered));
      settled = task.catch(() => undefined);
      later(task, 'the context of a message was not settled');
    },

    standing({ seqs, standing }: OutputOf<'standing'>): void {
      noted = options.events.note(id, seqs, standing);
      later(noted, 'where events stand was not noted');
    },

    async lookUp({ ids }: OutputOf<'look_up'>, state: OutboxState, reply: Reply): Promise<void> {
      const wanted = ids.flatMap((one): Wanted[] => wantedOf(one, state));
      const hasItemsOf = (turnId: string) => session.state().recorded.some((key) => key.startsWith(`${turnId}/`));
      const answer = await lookUp(wanted, { codex, meta, hasItemsOf });
      reply(
        answer.ok
          ? { type: 'found_in_history', asked: ids, found: answer.found, contextOf: answer.contextOf }
          : { type: 'history_unavailable', asked: ids, isCodexRunning: answer.isCodexRunning },
      );
    },

    warn(output: OutputOf<'warn'>): void {
      later(session.append(warningEntry(output)), 'a warning was not stored');
    },
  };

  function wantedOf(one: string, { pending }: OutboxState): Wanted[] {
    const found = pending.find((other) => other.id === one);
    if (found === undefined) return [];
    const turnId = found.kind === 'message' && found.mode !== 'steer' ? found.turnId : null;
    const text = sent.body(one)?.text ?? '';
    const hasEvents = found.kind === 'message' && found.carried.length > 0;
    return [{ id: one, kind: found.kind, text, turnId, hasEvents, sinceMs: sent.storedAtMs(one) ?? 0 }];
  }
}
