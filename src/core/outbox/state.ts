/** What the outbox of one conversation remembers, what it hears, and what it asks for. Types and small helpers; the rules are beside it. */
import type { DeliveryState, MessageMode } from '../../contract/entry.ts';
import type { DeliveryMode, EventStanding } from '../../contract/external-event.ts';
import type { Failure } from '../../contract/result.ts';
import type { TurnEnd } from '../codex/signal.ts';

/**
 * The way of one delivery. `waiting`: nothing was done yet · `loading`: the thread is being loaded · `preparing`: the context is being
 * collected · `storing`: the user entry is being written · `stored`: the entry is on disk, and the message may go (again) · `giving`: the request to
 * Codex is out · `accepted`: Codex said yes, its history has not shown the message yet · `unknown`: Codex went away or was silent, and its
 * history decides.
 */
type Stage = 'waiting' | 'loading' | 'preparing' | 'storing' | 'stored' | 'giving' | 'accepted' | 'unknown';

/** Events that wait together: same mode, same turn to steer. */
export interface EventBatch {
  readonly mode: Extract<DeliveryMode, 'queue_for_next_turn' | 'append_to_thread' | 'turn_steer' | 'auto_turn'>;
  /** Places in the ledger, in the order of arrival. */
  readonly seqs: readonly number[];
  /** How many agents in a row passed the matter on; the largest of the batch. */
  readonly hops: number;
  /** The turn a steer is for; null for the other modes. */
  readonly turnId: string | null;
  /** True while events are switched off for the conversation. */
  readonly isHeld: boolean;
  /** Codex refused to append these; they are not tried again before something changes. */
  readonly isBlocked: boolean;
}

/** A message of a person, or words of ours that bring events: both become a `user` entry. */
export interface PendingMessage {
  readonly kind: 'message';
  /** Its `client_message_id`. */
  readonly id: string;
  readonly mode: MessageMode;
  readonly origin: 'person' | 'events';
  readonly stage: Stage;
  /** The turn a steer is for; later the turn the message went into. */
  readonly turnId: string | null;
  readonly isStored: boolean;
  /** It waited in the queue, and is taken off it once its entry is on disk. */
  readonly isQueued: boolean;
  /** Codex has it; only the answer to the request is still to come. */
  readonly isSettled: boolean;
  /**
   * Why the history has to be asked. `gone`: the Codex that got it is no more, so its history is the whole truth · `restarted`: this
   * server was, and Codex may still be at it · `silent`: Codex did not answer or never mentioned it.
   */
  readonly doubt: 'gone' | 'restarted' | 'silent' | null;
  /** Whoever submitted it knows what became of the request. */
  readonly isAnswered: boolean;
  readonly tries: number;
  /** Events that go along. */
  readonly carried: readonly EventBatch[];
}

/** Events put into the thread's history, where nobody sees them. */
interface PendingInjection {
  readonly kind: 'injection';
  readonly id: string;
  readonly stage: 'giving' | 'unknown';
  readonly batch: EventBatch;
}

export type Pending = PendingMessage | PendingInjection;

/**
 * The one thing that is being done. `then`: the message that waits for an injection to be over. `isOutdated`: the Codex that was asked for
 * its history is gone; it may have kept more after it answered.
 */
type Busy =
  | { readonly kind: 'message'; readonly id: string }
  | { readonly kind: 'injection'; readonly id: string; readonly then: string | null }
  | { readonly kind: 'look_up'; readonly isOutdated: boolean }
  | { readonly kind: 'interrupt' };

/** What the outbox knows of the thread. */
export interface ThreadFacts {
  readonly turnId: string | null;
  readonly isLoaded: boolean;
  readonly isArchived: boolean;
  readonly areEventsOn: boolean;
  readonly canSteer: boolean;
  /** A review, a compaction or a shell command of ours has the thread: what is given meanwhile would become a steer of it. */
  readonly isReserved: boolean;
  readonly canInject: boolean;
}

export interface OutboxState {
  /** Ids of our own deliveries are this and a number: unique over restarts. */
  readonly prefix: string;
  readonly nextNumber: number;
  readonly thread: ThreadFacts;
  /** Messages that wait for the running turn to end. Not given before the queue is on disk. */
  readonly queue: readonly { readonly id: string; readonly isStored: boolean }[];
  readonly isPaused: boolean;
  /** Everything that is on its way and not settled, in the order of submission. */
  readonly pending: readonly Pending[];
  readonly busy: Busy | null;
  readonly events: readonly EventBatch[];
  /** The newest events that the model has; the ledger may not say so yet when it is read after a restart. */
  readonly told: readonly number[];
  /** Requests to stop that wait for what is being given. */
  readonly interrupts: readonly string[];
  /** The history cannot be read now; a timer or a new Codex brings the next try. */
  readonly isHistoryOut: boolean;
  readonly failedLookUps: number;
  /** Events that want a turn of their own are being gathered. */
  readonly isGathering: boolean;
  /** Automatic turns since a person last spoke. */
  readonly autoTurnsInARow: number;
  readonly hasWarned: boolean;
  /** Hops of the automatic turn that is starting or runs; 0 when none does. */
  readonly runningHops: number;
}

/** A message of before that is not settled, as the transcript tells. */
export interface Unsettled {
  readonly id: string;
  readonly mode: MessageMode;
  readonly origin: 'person' | 'events';
  readonly turnId: string | null;
  readonly events: readonly number[];
}

/** A message or an injection that Codex's history has. */
export interface Found {
  readonly id: string;
  readonly turnId: string | null;
  readonly itemId: string | null;
}

export type OutboxInput =
  /** `known`: what became of the first message with this id; null for a new one. */
  | {
      readonly type: 'submitted';
      readonly id: string;
      readonly mode: MessageMode;
      readonly known: DeliveryState | 'stored' | null;
    }
  | { readonly type: 'queue_stored'; readonly id: string }
  | { readonly type: 'queue_not_stored'; readonly id: string; readonly failure: Failure }
  /** A person reordered, edited or emptied the queue; only ids of the queue. */
  | { readonly type: 'queue_rewritten'; readonly ids: readonly string[] }
  | { readonly type: 'queue_resumed' }
  /** A person wants this message of the queue to go at once. */
  | { readonly type: 'send_now_requested'; readonly id: string }
  | { readonly type: 'interrupt_requested'; readonly id: string }
  | { readonly type: 'interrupted'; readonly outcome: boolean | Failure }
  /** The thread is there, and all events that arrived before are known. */
  | { readonly type: 'loaded'; readonly id: string }
  /** `hasEvents`: the events are in what goes along; false if there was no room for them. */
  | { readonly type: 'prepared'; readonly id: string; readonly hasEvents: boolean }
  | { readonly type: 'not_prepared'; readonly id: string; readonly failure: Failure }
  | { readonly type: 'entry_stored'; readonly id: string }
  | { readonly type: 'entry_not_stored'; readonly id: string; readonly failure: Failure }
  | { readonly type: 'accepted'; readonly id: string; readonly turnId: string | null }
  /** `isCertain`: Codex said no. Otherwise nobody knows whether it has the message. */
  | { readonly type: 'refused'; readonly id: string; readonly failure: Failure; readonly isCertain: boolean }
  /** Nothing went to Codex: the thread was replaced after the message was prepared for it. */
  | { readonly type: 'not_given'; readonly id: string }
  | { readonly type: 'echoed'; readonly id: string; readonly turnId: string; readonly itemId: string }
  | { readonly type: 'turn_started'; readonly turnId: string }
  | { readonly type: 'turn_ended'; readonly turnId: string; readonly status: TurnEnd }
  | { readonly type: 'thread_changed'; readonly facts: Partial<ThreadFacts> }
  /** Codex lost the thread and another took its place; events that waited for the old one arrive anew. */
  | { readonly type: 'thread_replaced' }
  | { readonly type: 'codex_gone' }
  /** `isAdopted`: the same process as before, which may still be at something. */
  | { readonly type: 'codex_ready'; readonly isAdopted: boolean }
  /** `contextOf`: messages that are not there, but whose events are: Codex keeps those first. */
  | {
      readonly type: 'found_in_history';
      readonly asked: readonly string[];
      readonly found: readonly Found[];
      readonly contextOf: readonly string[];
    }
  /** `isCodexRunning`: it is there and could not say; otherwise it is asked again when it is back. */
  | { readonly type: 'history_unavailable'; readonly asked: readonly string[]; readonly isCodexRunning: boolean }
  /** `isRecovery`: they may be known already. `isOverLimit`: one of them wanted a turn, and too many in a row had one. */
  | {
      readonly type: 'events_arrived';
      readonly batches: readonly EventBatch[];
      readonly isRecovery: boolean;
      readonly isOverLimit: boolean;
    }
  /** Injections whose answer a crash cut off. */
  | {
      readonly type: 'injections_recovered';
      readonly injections: readonly { readonly id: string; readonly batch: EventBatch }[];
    }
  | { readonly type: 'timer'; readonly name: TimerName }
  | {
      readonly type: 'recovered';
      readonly queue: readonly string[];
      /** Of the queue: messages whose entry is on disk already, whatever became of them. */
      readonly given: readonly string[];
      readonly isPaused: boolean;
      readonly unsettled: readonly Unsettled[];
      /** Delivered messages whose events a crash may have kept from being noted as delivered. */
      readonly told: readonly { readonly id: string; readonly events: readonly number[] }[];
    };

type TimerName = 'gather' | 'look_up';

/** What a submitter is answered. */
export type Answer =
  | { readonly outcome: 'started' | 'steered'; readonly turnId: string | null }
  | { readonly outcome: 'queued' }
  | { readonly outcome: 'duplicate'; readonly state: DeliveryState | 'queued' | 'stored' }
  | { readonly outcome: 'refused'; readonly failure: Failure; readonly isStored: boolean };

export type OutboxOutput =
  | { readonly do: 'answer'; readonly id: string; readonly answer: Answer }
  | { readonly do: 'answer_interrupt'; readonly ids: readonly string[]; readonly outcome: boolean | Failure }
  /** Puts a submitted message at the end of the stored queue, or before all others. */
  | { readonly do: 'enqueue'; readonly id: string; readonly isFirst: boolean }
  | { readonly do: 'remove_from_queue'; readonly id: string }
  | { readonly do: 'pause_queue'; readonly isPaused: boolean }
  /** Loads the thread, and reads events that lie in files. */
  | { readonly do: 'load'; readonly id: string; readonly mode: MessageMode; readonly origin: 'person' | 'events' }
  /** Collects what goes along: those events, and the other context. */
  | { readonly do: 'prepare'; readonly id: string; readonly events: readonly number[] }
  /** Appends the `user` entry; nothing goes to Codex before it is on disk. */
  | { readonly do: 'store'; readonly id: string; readonly mode: MessageMode }
  | { readonly do: 'give'; readonly give: Give }
  /** Appends a `delivery` entry. */
  | {
      readonly do: 'entry';
      readonly id: string;
      readonly state: DeliveryState;
      readonly turnId: string | null;
      readonly itemId: string | null;
      readonly reason: Failure | null;
    }
  /** The context that went along is carried, or waits for the next message. */
  | { readonly do: 'settle'; readonly id: string; readonly isDelivered: boolean }
  /** `delivered` keeps the mode each event has. */
  | { readonly do: 'standing'; readonly seqs: readonly number[]; readonly standing: EventStanding }
  | { readonly do: 'look_up'; readonly ids: readonly string[] }
  | { readonly do: 'set_timer'; readonly name: TimerName; readonly ms: number }
  | { readonly do: 'warn'; readonly code: 'event_loop' | 'queue_refused'; readonly failure: Failure | null };

export type Give =
  | { readonly kind: 'turn'; readonly id: string; readonly isUnattended: boolean }
  | { readonly kind: 'steer'; readonly id: string; readonly turnId: string }
  | { readonly kind: 'inject'; readonly id: string; readonly events: readonly number[] }
  | { readonly kind: 'interrupt'; readonly turnId: string };

export interface Step {
  readonly state: OutboxState;
  readonly outputs: readonly OutboxOutput[];
}

export function emptyOutbox(prefix: string, thread: ThreadFacts): OutboxState {
  return {
    prefix,
    nextNumber: 1,
    thread,
    queue: [],
    isPaused: false,
    pending: [],
    busy: null,
    events: [],
    told: [],
    interrupts: [],
    isHistoryOut: false,
    failedLookUps: 0,
    isGathering: false,
    autoTurnsInARow: 0,
    hasWarned: false,
    runningHops: 0,
  };
}

/** Nothing may start a turn now: one runs, or the thread is reserved. */
export const isOccupied = ({ thread }: OutboxState): boolean => thread.turnId !== null || thread.isReserved;

export const stay = (state: OutboxState): Step => ({ state, outputs: [] });

export function change(step: Step, patch: Partial<OutboxState>, ...outputs: readonly OutboxOutput[]): Step {
  return {
    state: { ...step.state, ...patch },
    outputs: outputs.length === 0 ? step.outputs : [...step.outputs, ...outputs],
  };
}

/** Only once, and only to somebody who waits. */
export function answerOnce(step: Step, id: string, answer: Answer): Step {
  const message = messageOf(step.state, id);
  if (message === null || message.isAnswered) return step;
  return emit(patchMessage(step, id, { isAnswered: true }), { do: 'answer', id, answer });
}

export const emit = (step: Step, ...outputs: readonly OutboxOutput[]): Step => change(step, {}, ...outputs);

export const setThread = (step: Step, facts: Partial<ThreadFacts>): Step =>
  change(step, { thread: { ...step.state.thread, ...facts } });

export function messageOf(state: OutboxState, id: string): PendingMessage | null {
  const found = state.pending.find((one) => one.id === id);
  return found?.kind === 'message' ? found : null;
}

/** The message that is being loaded, prepared, stored or given; null when another one is, or none. */
export function busyMessage(state: OutboxState, id: string): PendingMessage | null {
  const { busy } = state;
  return busy?.kind === 'message' && busy.id === id ? messageOf(state, id) : null;
}

/** A message of a person that waits for its turn; `more` says what is different about it. */
export function newMessage(id: string, mode: MessageMode, more: Partial<PendingMessage> = {}): PendingMessage {
  return {
    kind: 'message',
    id,
    mode,
    origin: 'person',
    stage: 'waiting',
    turnId: null,
    isStored: false,
    isQueued: false,
    isSettled: false,
    doubt: null,
    isAnswered: false,
    tries: 0,
    carried: [],
    ...more,
  };
}

export const addPending = (step: Step, one: Pending): Step => change(step, { pending: [...step.state.pending, one] });

export function patchMessage(step: Step, id: string, patch: Partial<PendingMessage>): Step {
  const pending = step.state.pending.map((one) =>
    one.kind === 'message' && one.id === id ? { ...one, ...patch } : one,
  );
  return change(step, { pending });
}

export const dropPending = (step: Step, id: string): Step =>
  change(step, { pending: step.state.pending.filter((one) => one.id !== id) });

export const release = (step: Step): Step => change(step, { busy: null });

export const seqsOf = (batches: readonly EventBatch[]): number[] => batches.flatMap((one) => one.seqs);
