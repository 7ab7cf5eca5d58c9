/** What goes next, once nothing is being given: the order in which everything reaches Codex. */
import type { MessageMode } from '../../contract/entry.ts';
import type { Failure } from '../../contract/result.ts';
import { eventMessageId } from '../events/render-speaker.ts';
import { demoteLateSteers, isAppendable, isForTurn, take, wantsTurn } from './events.ts';
import {
  type Answer,
  addPending,
  answerOnce,
  change,
  dropPending,
  type EventBatch,
  messageOf,
  newMessage,
  type OutboxState,
  type PendingMessage,
  patchMessage,
  type Step,
  seqsOf,
} from './state.ts';

export const NO_TURN: Failure = {
  code: 'no_active_turn',
  message: 'nothing is running: send the message instead of steering',
};

export function advance(step: Step): Step {
  const { state } = step;
  if (state.busy !== null) return step;
  // Before anything new: its place in the order, and whether it goes again, depends on what Codex kept.
  const unknown = state.pending.filter((one) => one.stage === 'unknown').map((one) => one.id);
  if (unknown.length > 0)
    return state.isHistoryOut
      ? step
      : change(step, { busy: { kind: 'look_up', isOutdated: false } }, { do: 'look_up', ids: unknown });
  if (state.interrupts.length > 0) return interrupt(step);
  const settled = refuseLateSteers(demoteLateSteers(step));
  if (state.thread.isReserved) return settled;
  return state.thread.turnId === null ? startNext(settled) : steerNext(settled, state.thread.turnId);
}

function interrupt(step: Step): Step {
  const { turnId } = step.state.thread;
  if (turnId !== null)
    return change(step, { busy: { kind: 'interrupt' } }, { do: 'give', give: { kind: 'interrupt', turnId } });
  const ids = step.state.interrupts;
  return advance(change(step, { interrupts: [] }, { do: 'answer_interrupt', ids, outcome: false }));
}

/** A steer is for one turn; when that is over, nobody else gets it. */
function refuseLateSteers(before: Step): Step {
  let step = before;
  for (const one of before.state.pending) {
    if (one.kind !== 'message' || one.mode !== 'steer' || one.turnId === step.state.thread.turnId) continue;
    if (one.stage !== 'waiting') continue;
    // One of the queue is still in the queue, and goes as a turn of its own.
    const answer: Answer = one.isQueued
      ? { outcome: 'queued' }
      : { outcome: 'refused', failure: NO_TURN, isStored: false };
    step = dropPending(answerOnce(step, one.id, answer), one.id);
  }
  return step;
}

function steerNext(step: Step, turnId: string): Step {
  const next = step.state.pending.find(
    (one): one is PendingMessage => one.kind === 'message' && one.mode === 'steer' && one.stage === 'waiting',
  );
  if (next !== undefined) return begin(step, next.id);
  if (!step.state.thread.canSteer || !step.state.events.some(isForTurn(turnId))) return step;
  const id = eventMessageId('steer', ownId(step.state));
  return begin(addOwn(step, id, 'steer', turnId), id);
}

function startNext(step: Step): Step {
  const { state } = step;
  if (canInject(state)) return inject(step, null);
  const next = state.pending.find(
    (one) => one.kind === 'message' && (one.stage === 'waiting' || one.stage === 'stored'),
  );
  if (next !== undefined) return begin(step, next.id);
  // Codex said yes to one whose turn has not begun: a second one would become a steer of it.
  if (state.pending.some((one) => one.kind === 'message' && one.mode !== 'steer' && one.stage === 'accepted'))
    return step;
  const first = state.isPaused ? undefined : state.queue[0];
  if (first !== undefined) return first.isStored ? begin(addPending(step, fromQueue(first.id)), first.id) : step;
  if (state.isGathering || state.thread.isArchived || !state.events.some(wantsTurn)) return step;
  const id = eventMessageId('turn', ownId(state));
  const [, wanted] = take(step, wantsTurn);
  const runningHops = 1 + Math.max(0, ...wanted.map((one) => one.hops));
  return begin(change(addOwn(step, id, 'send', null), { runningHops }), id);
}

/** Whoever queued it was answered then. */
const fromQueue = (id: string): PendingMessage => newMessage(id, 'queue', { isQueued: true, isAnswered: true });

const ownId = ({ prefix, nextNumber }: OutboxState): string => `${prefix}_${nextNumber}`;

/** Words of ours, with a fresh id; nobody waits for an answer to them. */
function addOwn(step: Step, id: string, mode: MessageMode, turnId: string | null): Step {
  const own = newMessage(id, mode, { origin: 'events', isAnswered: true, turnId });
  return change(addPending(step, own), { nextNumber: step.state.nextNumber + 1 });
}

function begin(step: Step, id: string): Step {
  const message = messageOf(step.state, id);
  if (message === null) return step;
  const { mode, origin } = message;
  const begun = patchMessage(step, id, { stage: 'loading' });
  return change(begun, { busy: { kind: 'message', id } }, { do: 'load', id, mode, origin });
}

/** Into the history only while nothing runs: a running turn would read them at once, which is a steer that nobody allowed. */
export function canInject({ thread, events }: OutboxState): boolean {
  return (
    thread.canInject && thread.isLoaded && thread.turnId === null && !thread.isReserved && events.some(isAppendable)
  );
}

/** `then`: the message whose turn begins once the history has them. */
export function inject(before: Step, then: string | null): Step {
  const [step, batches] = take(before, isAppendable);
  const [first] = batches;
  if (first === undefined) return before;
  const id = ownId(step.state);
  const batch: EventBatch = { ...first, seqs: seqsOf(batches) };
  return change(
    step,
    {
      nextNumber: step.state.nextNumber + 1,
      pending: [...step.state.pending, { kind: 'injection', id, stage: 'giving', batch }],
      busy: { kind: 'injection', id, then },
    },
    { do: 'give', give: { kind: 'inject', id, events: batch.seqs } },
  );
}
