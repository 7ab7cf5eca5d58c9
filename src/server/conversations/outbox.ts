/** The outbox of one open conversation: everything that goes to Codex passes here. */
import type { MessageMode } from '../../contract/entry.ts';
import { type Failure, ok, type Result } from '../../contract/result.ts';
import {
  type Answer,
  emptyOutbox,
  type OutboxInput,
  type OutboxOutput,
  type OutboxState,
} from '../../core/outbox/state.ts';
import { cleanText } from '../../core/text/clean.ts';
import { createSerial } from '../../node/serial.ts';
import { createFeed, type ReadFacts } from './feed-outbox.ts';
import { createAnswers, type Outcome, resultOf } from './outbox-answers.ts';
import { createPerformer, type PerformOptions } from './perform-outbox.ts';
import { createOutputPerformer } from './perform-outputs.ts';
import type { CapabilitiesPort } from './ports.ts';
import type { MessageBody } from './sent-messages.ts';
import { createStopWaiters } from './stop-waiters.ts';
import { rewritten, stillQueued } from './stored-queue.ts';

interface Submission extends MessageBody {
  readonly clientMessageId: string;
}

export interface Outbox {
  send(message: Submission, mode: MessageMode): Promise<Result<Outcome>>;
  /** Stops the running turn; false when none runs. Waits for a message that is being given. */
  interrupt(): Promise<Result<boolean>>;
  /** Reorder, edit, drop: the given list is what the queue becomes. */
  rewriteQueue(
    list: readonly { readonly clientMessageId: string; readonly text: string | null }[],
  ): Promise<Result<null>>;
  resumeQueue(): void;
  /** Takes a message off the queue and gives it at once; `queued` if it has to wait all the same. */
  sendNow(clientMessageId: string): Promise<Result<Outcome>>;
  /** What happened elsewhere: turns, echoes, events, Codex coming and going. */
  accept(input: OutboxInput): void;
  /** Settings or the thread may have changed. */
  refresh(): void;
  state(): OutboxState;
  /** Resolves when nothing is being given to Codex or asked of it. */
  whenStill(): Promise<void>;
  /** Whoever still waits for an answer is told that the conversation was closed. */
  close(): void;
}

export interface OutboxOptions extends PerformOptions {
  /** The thread is reserved for a review, a compaction or a shell command. */
  readonly isReserved: () => boolean;
  readonly capabilities: CapabilitiesPort;
  readonly newPrefix: () => string;
  /** For tests of crashes: called before and after each output. */
  readonly at: (when: 'before' | 'after', output: OutboxOutput['do']) => void;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { meta, session, sent } = options;
  const answers = createAnswers();
  const stops = createStopWaiters();
  const outputs = createOutputPerformer({ ...options, performer: createPerformer(options), answers, stops });
  /** Submissions keep their order while their ids are looked up. */
  const submissions = createSerial();

  const facts = (): ReadFacts => ({
    isLoaded: options.thread.isLoaded(),
    isArchived: meta().archived,
    areEventsOn: meta().context.events,
    isReserved: options.isReserved(),
    ...options.capabilities(),
  });
  const { accept, refresh, state, isClosed, whenStill, ...feed } = createFeed({
    firstState: emptyOutbox(options.newPrefix(), { ...facts(), turnId: session.state().turn?.id ?? null }),
    facts,
    perform: outputs.perform,
    onApplied: (input) => {
      if (input.type === 'turn_ended') stops.turnEnded(input.turnId, input.status === 'interrupted');
    },
  });

  /** Why nothing can be given at all; null if it can. */
  const obstacle = (): Failure | null => {
    if (isClosed()) return CLOSED;
    return session.transcript.log.state() === 'ok' ? null : DISK_FULL;
  };

  /** The answer is in an object, so that the next submission does not wait for it. */
  const submit = async (message: Submission, mode: MessageMode): Promise<{ readonly answered: Promise<Answer> }> => {
    const failure = obstacle();
    if (failure !== null) return { answered: Promise.resolve(refused(failure)) };
    const { clientMessageId: id } = message;
    // Looked at once more behind the wait: the first message with this id may have gone all its way meanwhile.
    const known = (await sent.stateOf(id)) ?? sent.recentState(id);
    // Whoever wrote it: nothing in it may look like what is put round it.
    if (known === null && sent.body(id) === null)
      sent.keep(id, { ...message, text: cleanText(message.text).toWellFormed() });
    const answered = answers.of(id);
    accept({ type: 'submitted', id, mode, known });
    // Closed while the lines above waited.
    if (isClosed()) answers.giveAll(refused(CLOSED));
    return { answered };
  };

  return {
    send: async (message, mode) => {
      const { answered } = await submissions.run(() => submit(message, mode));
      return resultOf(await answered, message.clientMessageId);
    },
    async interrupt() {
      if (isClosed()) return ok(false);
      const outcome = await stops.ask((id) => accept({ type: 'interrupt_requested', id }));
      return typeof outcome === 'boolean' ? ok(outcome) : { ok: false, error: outcome };
    },
    rewriteQueue: (list) =>
      submissions.run(async () => {
        const next = rewritten(meta(), list);
        if (!next.ok) return next;
        const saved = await options.changeMeta((now) => ({ ...now, queue: stillQueued(next.value, now) }));
        if (saved.ok) accept({ type: 'queue_rewritten', ids: next.value.map((one) => one.client_message_id) });
        return saved;
      }),
    resumeQueue: () => accept({ type: 'queue_resumed' }),
    async sendNow(id) {
      const failure = obstacle();
      if (failure !== null) return resultOf(refused(failure), id);
      const answered = answers.of(id);
      accept({ type: 'send_now_requested', id });
      return resultOf(await answered, id);
    },
    accept,
    refresh,
    state,
    whenStill,
    close() {
      feed.close();
      outputs.close();
      answers.giveAll(refused(CLOSED));
      stops.close();
    },
  };
}

const refused = (failure: Failure): Answer => ({ outcome: 'refused', failure, isStored: false });

const CLOSED: Failure = {
  code: 'unknown_conversation',
  message: 'the conversation was deleted, or the server stops: restore the conversation, then send the message again',
};
const DISK_FULL: Failure = { code: 'storage_full', message: 'the disk is full: the message was not sent' };
