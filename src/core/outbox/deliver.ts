/** One message from its submission to the moment Codex has it, or does not. */
import type { Failure } from '../../contract/result.ts';
import { enqueue, pauseQueue } from './admit.ts';
import { advance, canInject, inject } from './advance.ts';
import { block, demote, isCarriable, isForTurn, putBack, take, toldTo, unblock, wantsTurn } from './events.ts';
import {
  answerOnce,
  busyMessage,
  change,
  dropPending,
  type EventBatch,
  emit,
  isOccupied,
  messageOf,
  type OutboxInput,
  type OutboxState,
  type PendingMessage,
  patchMessage,
  release,
  type Step,
  seqsOf,
  stay,
} from './state.ts';

/** After an answer that did not come, the history is read; Codex gets this long to come to itself. */
const SILENCE_MS = 2_000;

/** Longer than Codex takes for an echo on a busy machine. */
const ECHO_MS = 5_000;

export function loaded(state: OutboxState, id: string): Step {
  if (busyMessage(state, id) === null) return stay(state);
  return collect(unblock(change(stay(state), { thread: { ...state.thread, isLoaded: true } })), id);
}

/** First what belongs into the history, then what goes along with the message. */
function collect(step: Step, id: string): Step {
  const message = messageOf(step.state, id);
  if (message === null) return advance(release(step));
  if (message.mode !== 'steer' && canInject(step.state)) return inject(step, id);
  if (message.mode !== 'steer' && isOccupied(step.state) && !message.isStored) return overtaken(step, message);
  const [rest, carried] = take(step, goesWith(message));
  // Words of ours that point at events the model will not be given are worse than none.
  if (message.origin === 'events' && carried.length === 0) return advance(release(dropPending(rest, id)));
  const preparing = patchMessage(rest, id, { stage: 'preparing', carried });
  return emit(preparing, { do: 'prepare', id, events: seqsOf(carried) });
}

/** Our own steer brings only what wants to steer that turn; every other message takes all that waits. */
function goesWith({ origin, mode, turnId }: PendingMessage): (batch: EventBatch) => boolean {
  return origin === 'events' && mode === 'steer' && turnId !== null ? isForTurn(turnId) : isCarriable;
}

export function prepared(state: OutboxState, id: string, hasEvents: boolean): Step {
  const message = busyMessage(state, id);
  if (message === null) return stay(state);
  if (!hasEvents && message.carried.length > 0) return prepareWithout(stay(state), message);
  if (message.isStored) return give(stay(state), message);
  if (message.mode !== 'steer' && isOccupied(state)) return overtaken(stay(state), message);
  return emit(patchMessage(stay(state), id, { stage: 'storing' }), { do: 'store', id, mode: message.mode });
}

/** There was no room for the events, or they could not be read: they wait, and the message goes without them. */
function prepareWithout(step: Step, message: PendingMessage): Step {
  const { id, origin, carried } = message;
  if (origin === 'events')
    return giveUp(step, message, { code: 'storage_full', message: 'the events could not be read' });
  const without = putBack(patchMessage(step, id, { carried: [] }), carried);
  const next = prepared(without.state, id, true);
  return { state: next.state, outputs: [...without.outputs, ...next.outputs] };
}

/** A turn began elsewhere meanwhile: Codex would take the message for a steer. */
function overtaken(step: Step, message: PendingMessage): Step {
  const { id, origin, carried, isQueued } = message;
  const told = isQueued ? answerOnce(step, id, { outcome: 'queued' }) : step;
  const back = release(putBack(emit(dropPending(told, id), { do: 'settle', id, isDelivered: false }), carried));
  if (origin === 'events') return advance(change(back, { runningHops: 0 }));
  return isQueued ? advance(back) : advance(enqueue(back, id, true));
}

export function notPrepared(state: OutboxState, id: string, failure: Failure): Step {
  const message = busyMessage(state, id);
  return message === null ? stay(state) : giveUp(stay(state), message, failure);
}

/** Before anything went to Codex: the words are with whoever submitted them, in the queue, or in the transcript already. */
function giveUp(before: Step, message: PendingMessage, failure: Failure): Step {
  const { id } = message;
  const step = release(before);
  if (message.isStored) return advance(settleUndelivered(step, message, failure));
  const told = answerOnce(step, id, { outcome: 'refused', failure, isStored: false });
  const back = demoteWanted(putBackOf(dropPending(told, id), message, failure), message, failure);
  if (!message.isQueued) return advance(back);
  return advance(emit(pauseQueue(back, true), { do: 'warn', code: 'queue_refused', failure }));
}

/** Events that were not taken along yet would ask for the same again at once, and fail again: they go with the next message. */
function demoteWanted(step: Step, { origin, mode, turnId }: PendingMessage, failure: Failure): Step {
  if (origin === 'person') return step;
  const [rest, wanted] = take(step, mode === 'steer' && turnId !== null ? isForTurn(turnId) : wantsTurn);
  return demote(rest, wanted, failure.code);
}

export function entryStored(state: OutboxState, id: string): Step {
  const message = busyMessage(state, id);
  if (message === null) return stay(state);
  let step = patchMessage(stay(state), id, { isStored: true, stage: 'stored' });
  if (message.isQueued)
    step = change(step, { queue: state.queue.filter((one) => one.id !== id) }, { do: 'remove_from_queue', id });
  return give(step, { ...message, isStored: true });
}

export function entryNotStored(state: OutboxState, id: string, failure: Failure): Step {
  const message = busyMessage(state, id);
  if (message === null) return stay(state);
  return giveUp(emit(stay(state), { do: 'settle', id, isDelivered: false }), message, failure);
}

function give(step: Step, message: PendingMessage): Step {
  const { id, mode, origin } = message;
  const running = step.state.thread.turnId;
  if (mode === 'steer') {
    if (message.turnId === null || message.turnId !== running)
      return message.isQueued
        ? waitForNextTurn(release(step), message)
        : advance(settleUndelivered(release(step), message, TURN_ENDED));
    const steered = patchMessage(step, id, { stage: 'giving', tries: message.tries + 1 });
    return emit(steered, { do: 'give', give: { kind: 'steer', id, turnId: message.turnId } });
  }
  if (isOccupied(step.state)) {
    // It is on disk already: it goes when that turn is over.
    const waits = release(patchMessage(step, id, { stage: 'stored' }));
    return advance(answerOnce(waits, id, { outcome: 'queued' }));
  }
  const given = patchMessage(step, id, { stage: 'giving', tries: message.tries + 1 });
  return emit(given, { do: 'give', give: { kind: 'turn', id, isUnattended: origin === 'events' } });
}

/** It is loaded and prepared again: what went along was for a thread that is gone. */
export function notGiven(state: OutboxState, id: string): Step {
  const message = busyMessage(state, id);
  if (message === null) return stay(state);
  const back = putBack(patchMessage(release(stay(state)), id, { stage: 'stored', carried: [] }), message.carried);
  const { tries, mode } = message;
  if (mode === 'steer' && message.isQueued) return waitForNextTurn(back, { ...message, carried: [] });
  if (mode === 'steer') return advance(settleUndelivered(back, { ...message, carried: [] }, TURN_ENDED));
  return advance(patchMessage(back, id, { tries: tries - 1 }));
}

const TURN_ENDED: Failure = {
  code: 'no_active_turn',
  message: 'the turn ended before the message reached it: send it again',
};

export function accepted(state: OutboxState, id: string, turnId: string | null): Step {
  const injection = state.pending.find((one) => one.id === id);
  if (injection?.kind === 'injection') return injected(state, id, null, true);
  const message = busyMessage(state, id);
  if (message === null) return stay(state);
  let step = answerOnce(release(stay(state)), id, { outcome: outcomeOf(message), turnId });
  if (message.origin === 'events' && message.mode !== 'steer')
    step = change(step, { autoTurnsInARow: step.state.autoTurnsInARow + 1 });
  step = message.isSettled ? dropPending(step, id) : acceptedStage(step, id, turnId ?? message.turnId);
  return advance(step);
}

/** Its echo comes within moments. If nothing more is heard of it, its turn neither, the history is asked. */
function acceptedStage(step: Step, id: string, turnId: string | null): Step {
  const marked = patchMessage(step, id, { stage: 'accepted', turnId });
  return emit(marked, { do: 'set_timer', name: 'look_up', ms: ECHO_MS });
}

const outcomeOf = ({ mode }: PendingMessage) => (mode === 'steer' ? 'steered' : 'started');

export function refused(state: OutboxState, id: string, failure: Failure, isCertain: boolean): Step {
  const injection = state.pending.find((one) => one.id === id);
  if (injection?.kind === 'injection') return injected(state, id, failure, isCertain);
  const message = busyMessage(state, id);
  if (message === null) return stay(state);
  const step = release(stay(state));
  // Its echo was quicker than the answer that never came.
  if (message.isSettled) {
    const { turnId } = message;
    return advance(dropPending(answerOnce(step, id, { outcome: outcomeOf(message), turnId }), id));
  }
  // A person's steer waits where Codex takes none; one that came from the queue also where its turn is over.
  const canWait =
    failure.code === 'not_steerable' || (message.isQueued && isCertain && failure.code === 'no_active_turn');
  const isRedirected = canWait && message.mode === 'steer' && message.origin === 'person';
  if (isRedirected) return waitForNextTurn(step, message);
  if (isCertain) return advance(settleUndelivered(step, message, failure));
  const told = answerOnce(step, id, { outcome: 'refused', failure, isStored: true });
  // A request that timed out may have reached the Codex that runs now, whatever became of the one before.
  const doubt = failure.code === 'codex_timeout' ? 'silent' : (message.doubt ?? 'silent');
  return waitForHistory(patchMessage(told, id, { stage: 'unknown', doubt }));
}

/** The turn that runs takes no message: the words, which are on disk already, go when it is over. */
function waitForNextTurn(step: Step, { id, carried }: PendingMessage): Step {
  const waits = patchMessage(step, id, { mode: 'send', stage: 'stored', turnId: null, carried: [] });
  return advance(answerOnce(putBack(waits, carried), id, { outcome: 'queued' }));
}

/** The history is not asked at once: a Codex that did not answer this does not answer that. */
export function waitForHistory(step: Step): Step {
  return advance(change(step, { isHistoryOut: true }, { do: 'set_timer', name: 'look_up', ms: SILENCE_MS }));
}

/** Codex does not have it and will not get it by itself. The words stay in the transcript, with the reason. */
export function settleUndelivered(before: Step, message: PendingMessage, failure: Failure): Step {
  return putBackOf(settleWords(before, message, failure), message, failure);
}

/** The words are settled; what becomes of the events that went along is the caller's to say. */
export function settleWords(before: Step, message: PendingMessage, failure: Failure): Step {
  const { id, turnId } = message;
  let step = answerOnce(before, id, { outcome: 'refused', failure, isStored: true });
  step = emit(
    dropPending(step, id),
    { do: 'entry', id, state: 'not_delivered', turnId, itemId: null, reason: failure },
    { do: 'settle', id, isDelivered: false },
  );
  // Whoever queued several did not mean the second without the first.
  return message.isQueued ? pauseQueue(step, true) : step;
}

/** Events that wanted to steer or to start a turn, and could not, go with the next message; others wait as before. */
function putBackOf(step: Step, { origin, carried }: PendingMessage, failure: Failure): Step {
  if (origin === 'person') return putBack(step, carried);
  return demote(change(step, { runningHops: 0 }), carried, failure.code);
}

export function settleDelivered(before: Step, id: string, turnId: string | null, itemId: string | null): Step {
  const message = messageOf(before.state, id);
  const entered = emit(before, { do: 'entry', id, state: 'delivered', turnId, itemId, reason: null });
  // After the events: while the context counts as on its way, a restart notes them once more.
  const told = emit(toldTo(entered, message?.carried ?? [], turnId), { do: 'settle', id, isDelivered: true });
  if (message === null) return told;
  return message.stage === 'giving'
    ? patchMessage(told, id, { isSettled: true, turnId, carried: [] })
    : dropPending(told, id);
}

/** Codex repeats the message: from now on it is in its history. */
export function echoed(state: OutboxState, { id, turnId, itemId }: Extract<OutboxInput, { type: 'echoed' }>): Step {
  const message = messageOf(state, id);
  if (message?.isSettled) return stay(state);
  return advance(settleDelivered(stay(state), id, turnId, itemId));
}

function injected(state: OutboxState, id: string, failure: Failure | null, isCertain: boolean): Step {
  const injection = state.pending.find((one) => one.id === id);
  if (injection?.kind !== 'injection') return stay(state);
  const then = state.busy?.kind === 'injection' ? state.busy.then : null;
  if (failure !== null && !isCertain) {
    const pending = state.pending.map((one) => (one.id === id ? { ...injection, stage: 'unknown' as const } : one));
    return goOn(change(stay(state), { pending }), then);
  }
  const step = dropPending(stay(state), id);
  return goOn(failure === null ? appended(step, injection.batch.seqs) : block(step, injection.batch, failure), then);
}

export function appended(step: Step, seqs: readonly number[]): Step {
  return emit(step, { do: 'standing', seqs, standing: { state: 'appended', mode: 'append_to_thread' } });
}

/** After an injection: the message it was for, which needs no second look at what is unknown, or whatever comes next. */
function goOn(step: Step, then: string | null): Step {
  if (then !== null) return collect(change(step, { busy: { kind: 'message', id: then } }), then);
  const isUnknown = step.state.pending.some((one) => one.kind === 'injection' && one.stage === 'unknown');
  return isUnknown ? waitForHistory(release(step)) : advance(release(step));
}
