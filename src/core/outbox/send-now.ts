/** A person wants a queued message to go at once: into the turn that runs, or as a turn of its own where none does. */
import type { Failure } from '../../contract/result.ts';
import { advance } from './advance.ts';
import { addPending, emit, isOccupied, messageOf, newMessage, type OutboxState, type Step, stay } from './state.ts';

const NOT_QUEUED: Failure = { code: 'conflict', message: 'the message is not in the queue any more' };
const NOT_YET: Failure = {
  code: 'conflict',
  message: 'another message is being sent: this one stays in the queue; try again in a moment',
};
const NO_STEER: Failure = {
  code: 'not_steerable',
  message: 'what runs now takes no message: this one stays in the queue and goes when it is over',
};

/** The message stays in the stored queue until its entry is on disk, as every queued message does: it is neither lost nor sent twice. */
export function sendNow(state: OutboxState, id: string): Step {
  const pending = messageOf(state, id);
  // On its way already. Whoever asks while it is undecided gets the answer of the first one.
  if (pending?.isAnswered === false) return stay(state);
  if (pending !== null) return emit(stay(state), { do: 'answer', id, answer: { outcome: 'duplicate', state: 'sent' } });
  const queued = state.queue.find((one) => one.id === id);
  if (queued === undefined) return refuse(state, id, NOT_QUEUED);
  if (!queued.isStored) return refuse(state, id, NOT_YET);
  const { turnId, canSteer, isReserved } = state.thread;
  if (isOccupied(state)) {
    if (turnId === null || !canSteer || isReserved) return refuse(state, id, NO_STEER);
    return advance(addPending(stay(state), newMessage(id, 'steer', { turnId, isQueued: true })));
  }
  const isStarting = state.pending.some((one) => one.kind === 'message' && one.mode !== 'steer');
  if (isStarting) return refuse(state, id, NOT_YET);
  return advance(addPending(stay(state), newMessage(id, 'queue', { isQueued: true })));
}

const refuse = (state: OutboxState, id: string, failure: Failure): Step =>
  emit(stay(state), { do: 'answer', id, answer: { outcome: 'refused', failure, isStored: false } });
