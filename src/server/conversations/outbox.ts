/** The outbox of one open conversation: everything that goes to Codex passes here. Feeds the decider and performs what it decided. */
import type { MessageMode } from '../../contract/entry.ts';
import { type Failure, ok, type Result } from '../../contract/result.ts';
import {
  type Answer,
  emptyOutbox,
  type OutboxInput,
  type OutboxOutput,
  type OutboxState,
  type ThreadFacts,
} from '../../core/outbox/state.ts';
import { step } from '../../core/outbox/step.ts';
import { cleanText } from '../../core/text/clean.ts';
import type { Timer } from '../../node/clock.ts';
import { createSerial } from '../../node/serial.ts';
import { createAnswers, type Outcome, resultOf } from './outbox-answers.ts';
import { createPerformer, type PerformOptions } from './perform-outbox.ts';
import type { CapabilitiesPort } from './ports.ts';
import type { MessageBody } from './sent-messages.ts';
import { rewritten } from './stored-queue.ts';

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
  const { meta, clock, log } = options;
  const performer = createPerformer(options);
  const answers = createAnswers();
  const stopWaiters = new Map<string, (outcome: boolean | Failure) => void>();
  const timers = new Map<string, Timer>();
  const inputs: OutboxInput[] = [];
  const stillWaiters: (() => void)[] = [];
  /** By the turn that is being stopped: who waits for its end. */
  const endings = new Map<string, (wasStopped: boolean) => void>();
  /** Submissions keep their order while their ids are looked up. */
  const submissions = createSerial();
  let isRunning = false;
  let isClosed = false;
  let stops = 0;

  const facts = (): Omit<ThreadFacts, 'turnId'> => ({
    isLoaded: options.thread.isLoaded(),
    isArchived: meta().archived,
    areEventsOn: meta().context.events,
    isReserved: options.isReserved(),
    ...options.capabilities(),
  });
  let state = emptyOutbox(options.newPrefix(), { ...facts(), turnId: options.session.state().turn?.id ?? null });

  const isStale = (now: Omit<ThreadFacts, 'turnId'>): boolean =>
    (Object.keys(now) as (keyof typeof now)[]).some((name) => now[name] !== state.thread[name]);

  /** One input at a time: what performing one output brings about waits for its turn. */
  const accept = (input: OutboxInput): void => {
    if (isClosed) return;
    inputs.push(input);
    if (isRunning) return;
    isRunning = true;
    for (let next = inputs.shift(); next !== undefined; next = inputs.shift()) {
      const now = facts();
      if (next.type !== 'thread_changed' && isStale(now)) apply({ type: 'thread_changed', facts: now });
      apply(next);
      if (next.type === 'turn_ended') endings.get(next.turnId)?.(next.status === 'interrupted');
    }
    isRunning = false;
    if (state.busy !== null) return;
    for (const wake of stillWaiters.splice(0)) wake();
  };

  const apply = (input: OutboxInput): void => {
    const next = step(state, input);
    state = next.state;
    for (const output of next.outputs) {
      options.at('before', output.do);
      perform(output);
      if (!HAS_OUTCOME.has(output.do)) options.at('after', output.do);
    }
  };

  const begin = (output: OutboxOutput, task: (reply: (input: OutboxInput) => void) => Promise<void>): void => {
    task((input) => {
      options.at('after', output.do);
      accept(input);
    }).catch((error: unknown) => {
      log.error({ error, output }, 'an output of the outbox was not performed');
      const failed = inputOfFailure(output);
      if (failed !== null) accept(failed);
    });
  };

  const endOf = (turnId: string): Promise<boolean> =>
    new Promise((resolve) => {
      endings.set(turnId, (wasStopped) => {
        endings.delete(turnId);
        resolve(wasStopped);
      });
    });

  const perform = (output: OutboxOutput): void => {
    switch (output.do) {
      case 'answer':
        answers.give(output.id, output.answer);
        break;
      case 'answer_interrupt':
        for (const id of output.ids) stopWaiters.get(id)?.(output.outcome);
        for (const id of output.ids) stopWaiters.delete(id);
        break;
      case 'enqueue':
        begin(output, (reply) => performer.enqueue(output, reply));
        break;
      case 'remove_from_queue':
        performer.removeFromQueue(output);
        break;
      case 'pause_queue':
        performer.pauseQueue(output);
        break;
      case 'load':
        begin(output, (reply) => performer.load(output, reply));
        break;
      case 'prepare':
        begin(output, (reply) => performer.prepare(output, reply));
        break;
      case 'store':
        begin(output, (reply) => performer.store(output, reply));
        break;
      case 'give':
        begin(output, (reply) => performer.give(output.give, reply, endOf));
        break;
      case 'look_up':
        begin(output, (reply) => performer.lookUp(output, state, reply));
        break;
      case 'entry':
        performer.entry(output);
        break;
      case 'settle':
        performer.settle(output);
        break;
      case 'standing':
        performer.standing(output);
        break;
      case 'set_timer':
        setTimer(output.name, output.ms);
        break;
      case 'warn':
        performer.warn(output);
        break;
      default:
        output satisfies never;
    }
  };

  const setTimer = (name: 'gather' | 'look_up', ms: number): void => {
    timers.get(name)?.cancel();
    timers.set(
      name,
      clock.setTimer(ms, () => accept({ type: 'timer', name })),
    );
  };

  return {
    send: (message, mode) =>
      submissions
        .run(async () => {
          const { clientMessageId: id } = message;
          if (isClosed)
            return { answered: Promise.resolve<Answer>({ outcome: 'refused', failure: CLOSED, isStored: false }) };
          if (options.session.transcript.log.state() !== 'ok')
            return { answered: Promise.resolve<Answer>({ outcome: 'refused', failure: DISK_FULL, isStored: false }) };
          // Looked at once more behind the wait: the first message with this id may have gone all its way meanwhile.
          const known = (await options.sent.stateOf(id)) ?? options.sent.recentState(id);
          // Whoever wrote it: nothing in it may look like what is put round it.
          if (known === null && options.sent.body(id) === null)
            options.sent.keep(id, { ...message, text: cleanText(message.text).toWellFormed() });
          const answered = answers.of(id);
          accept({ type: 'submitted', id, mode, known });
          // Closed while the lines above waited.
          if (isClosed) answers.giveAll({ outcome: 'refused', failure: CLOSED, isStored: false });
          return { answered };
        })
        .then(async ({ answered }) => resultOf(await answered, message.clientMessageId)),
    async interrupt() {
      stops += 1;
      const id = `stop_${stops}`;
      const outcome = await new Promise<boolean | Failure>((done) => {
        if (isClosed) return done(false);
        stopWaiters.set(id, done);
        accept({ type: 'interrupt_requested', id });
      });
      return typeof outcome === 'boolean' ? ok(outcome) : { ok: false, error: outcome };
    },
    rewriteQueue: (list) =>
      submissions.run(async () => {
        const next = rewritten(meta(), list);
        if (!next.ok) return next;
        const saved = await options.saveMeta({ ...meta(), queue: next.value });
        if (saved.ok) accept({ type: 'queue_rewritten', ids: next.value.map((one) => one.client_message_id) });
        return saved;
      }),
    resumeQueue: () => accept({ type: 'queue_resumed' }),
    async sendNow(id) {
      const refused = (failure: Failure): Answer => ({ outcome: 'refused', failure, isStored: false });
      if (isClosed) return resultOf(refused(CLOSED), id);
      if (options.session.transcript.log.state() !== 'ok') return resultOf(refused(DISK_FULL), id);
      const answered = answers.of(id);
      accept({ type: 'send_now_requested', id });
      return resultOf(await answered, id);
    },
    accept,
    refresh() {
      const now = facts();
      if (isStale(now)) accept({ type: 'thread_changed', facts: now });
    },
    state: () => state,
    whenStill: () =>
      state.busy === null || isClosed ? Promise.resolve() : new Promise((done) => void stillWaiters.push(done)),
    close() {
      isClosed = true;
      performer.close();
      for (const timer of timers.values()) timer.cancel();
      answers.giveAll({ outcome: 'refused', failure: CLOSED, isStored: false });
      for (const settle of stopWaiters.values()) settle(false);
      stopWaiters.clear();
      for (const wake of stillWaiters.splice(0)) wake();
    },
  };
}

/** Outputs that are over when their outcome comes back as an input. */
const HAS_OUTCOME: ReadonlySet<OutboxOutput['do']> = new Set([
  'enqueue',
  'load',
  'prepare',
  'store',
  'give',
  'look_up',
]);

/** A bug must not leave a conversation waiting for an outcome for ever. */
function inputOfFailure(output: OutboxOutput): OutboxInput | null {
  const failure: Failure = { code: 'internal', message: 'the message could not be sent: see the log of the server' };
  switch (output.do) {
    case 'enqueue':
      return { type: 'queue_not_stored', id: output.id, failure };
    case 'load':
    case 'prepare':
      return { type: 'not_prepared', id: output.id, failure };
    case 'store':
      return { type: 'entry_not_stored', id: output.id, failure };
    case 'give':
      return output.give.kind === 'interrupt'
        ? { type: 'interrupted', outcome: failure }
        : { type: 'refused', id: output.give.id, failure, isCertain: false };
    case 'look_up':
      return { type: 'history_unavailable', asked: output.ids, isCodexRunning: true };
    default:
      return null;
  }
}

const CLOSED: Failure = {
  code: 'unknown_conversation',
  message: 'the conversation was deleted, or the server stops: restore the conversation, then send the message again',
};
const DISK_FULL: Failure = { code: 'storage_full', message: 'the disk is full: the message was not sent' };
