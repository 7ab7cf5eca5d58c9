/** What becomes of a submission: it goes at once, waits in the queue, or is refused. And the queue itself. */
import type { MessageMode } from '../../contract/entry.ts';
import type { Failure } from '../../contract/result.ts';
import { advance, NO_TURN } from './advance.ts';
import {
  type Answer,
  addPending,
  change,
  emit,
  isOccupied,
  messageOf,
  newMessage,
  type OutboxInput,
  type OutboxState,
  type Step,
  stay,
} from './state.ts';

/** As many as Codex's own queue takes. */
export const MAX_QUEUED = 100;

const answerTo = (step: Step, id: string, answer: Answer): Step => emit(step, { do: 'answer', id, answer });

export function submit(state: OutboxState, input: Extract<OutboxInput, { type: 'submitted' }>): Step {
  const { id, mode } = input;
  const known = input.known ?? stateHere(state, id);
  if (known === 'undecided') return stay(state);
  if (known !== null) return answerTo(stay(state), id, { outcome: 'duplicate', state: known });
  // A person speaks: automatic turns are counted from here on.
  const step = change(stay(state), { autoTurnsInARow: 0, hasWarned: false });
  const { turnId, canSteer, isReserved } = state.thread;
  if (mode === 'steer' && !isOccupied(state)) return refuse(step, id, NO_TURN);
  if (mode === 'steer' && canSteer && !isReserved) return advance(addPending(step, newMessage(id, mode, { turnId })));
  return mustQueue(state, mode) ? enqueue(step, id) : advance(addPending(step, newMessage(id, mode)));
}

/** `undecided`: the first one is not on disk yet; whoever repeats it waits for the same answer. */
const stateHere = (state: OutboxState, id: string): 'sent' | 'queued' | 'undecided' | null => {
  const pending = messageOf(state, id);
  if (pending !== null) return pending.isAnswered ? 'sent' : 'undecided';
  const queued = state.queue.find((one) => one.id === id);
  if (queued === undefined) return null;
  return queued.isStored ? 'queued' : 'undecided';
};

function mustQueue(state: OutboxState, mode: MessageMode): boolean {
  const { queue, isPaused, pending } = state;
  const isStarting = pending.some((one) => one.kind === 'message' && one.mode !== 'steer');
  return isOccupied(state) || isStarting || (queue.length > 0 && !isPaused) || (mode === 'queue' && isPaused);
}

const refuse = (step: Step, id: string, failure: Failure): Step =>
  answerTo(step, id, { outcome: 'refused', failure, isStored: false });

/** `isFirst`: it was on its way before the others were submitted. */
export function enqueue(step: Step, id: string, isFirst = false): Step {
  const { queue } = step.state;
  if (queue.length >= MAX_QUEUED && !isFirst)
    return refuse(step, id, {
      code: 'conflict',
      message: `the queue holds ${MAX_QUEUED} messages: wait until some are sent, or delete some`,
    });
  const added = { id, isStored: false };
  return change(step, { queue: isFirst ? [added, ...queue] : [...queue, added] }, { do: 'enqueue', id, isFirst });
}

export function queueStored(state: OutboxState, id: string): Step {
  const queue = state.queue.map((one) => (one.id === id ? { id, isStored: true } : one));
  return advance(answerTo(change(stay(state), { queue }), id, { outcome: 'queued' }));
}

export function queueNotStored(state: OutboxState, id: string, failure: Failure): Step {
  return advance(refuse(change(stay(state), { queue: state.queue.filter((one) => one.id !== id) }), id, failure));
}

/** Only what is still in the queue can be reordered; what was taken off meanwhile stays off. */
export function rewriteQueue(state: OutboxState, ids: readonly string[]): Step {
  const known = new Map(state.queue.map((one) => [one.id, one]));
  const queue = ids.flatMap((id) => known.get(id) ?? []);
  return advance(change(stay(state), { queue }));
}

export function pauseQueue(step: Step, isPaused: boolean): Step {
  return step.state.isPaused === isPaused ? step : change(step, { isPaused }, { do: 'pause_queue', isPaused });
}
