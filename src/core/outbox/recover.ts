/** After Codex or the server went away: Codex's history, and only that, says what became of what was given. */
import type { Failure } from '../../contract/result.ts';
import { advance } from './advance.ts';
import { appended, settleDelivered, settleUndelivered, settleWords, waitForHistory } from './deliver.ts';
import { putBack, rememberTold, toldTo } from './events.ts';
import {
  change,
  dropPending,
  type EventBatch,
  type Found,
  newMessage,
  type OutboxInput,
  type OutboxOutput,
  type OutboxState,
  type Pending,
  type PendingMessage,
  patchMessage,
  release,
  type Step,
  stay,
  type Unsettled,
} from './state.ts';

/** A message that Codex dies of is not given for ever. */
const MAX_TRIES = 3;
/** Codex runs and cannot say: then a person decides. */
const MAX_FAILED_LOOK_UPS = 5;

const NOT_KEPT: Failure = { code: 'codex_unavailable', message: 'Codex stopped before it kept this message.' };
const SILENT: Failure = { code: 'codex_timeout', message: 'Codex did not confirm this message and does not have it.' };
const UNCONFIRMED: Failure = {
  code: 'codex_timeout',
  message: 'Codex could not say whether it has this message. Look at its answer before you send it again.',
};

/** Every delivery that is out is uncertain now. Of the one that is being given, the answer to its request is still to come. */
export function codexGone(state: OutboxState): Step {
  const pending = state.pending.map((one): Pending => {
    if (one.kind === 'injection') return one;
    if (one.stage === 'giving') return { ...one, doubt: 'gone' };
    const isOut = one.stage === 'accepted' || one.stage === 'unknown';
    return isOut ? { ...one, stage: 'unknown', doubt: 'gone' } : one;
  });
  const busy = state.busy?.kind === 'look_up' ? { ...state.busy, isOutdated: true } : state.busy;
  return change(stay(state), { pending, busy, isHistoryOut: true, thread: { ...state.thread, isLoaded: false } });
}

export function codexReady(state: OutboxState, isAdopted: boolean): Step {
  const pending = state.pending.map((one): Pending => {
    const isOfOldCodex = !isAdopted && one.kind === 'message' && one.stage === 'unknown';
    return isOfOldCodex ? { ...one, doubt: 'gone' } : one;
  });
  return advance(change(stay(state), { pending, isHistoryOut: false, failedLookUps: 0 }));
}

/** The history is read again, also for what Codex said yes to and never mentioned since. */
export function lookAgain(state: OutboxState): Step {
  const pending = state.pending.map((one): Pending => {
    const isForgotten = one.stage === 'accepted' && one.turnId !== state.thread.turnId;
    return isForgotten ? { ...one, stage: 'unknown', doubt: one.doubt ?? 'silent' } : one;
  });
  return advance(change(stay(state), { pending, isHistoryOut: false }));
}

/** A turn ended, and Codex never repeated a message that went into it. */
export function doubtUnechoed(step: Step, turnId: string): Step {
  const isUnechoed = (one: Pending): one is PendingMessage =>
    one.kind === 'message' && one.stage === 'accepted' && one.turnId === turnId;
  if (!step.state.pending.some(isUnechoed)) return step;
  const pending = step.state.pending.map((one) =>
    isUnechoed(one) ? { ...one, stage: 'unknown' as const, doubt: one.doubt ?? ('silent' as const) } : one,
  );
  return change(step, { pending });
}

export function foundInHistory(
  state: OutboxState,
  { asked, found, contextOf }: Extract<OutboxInput, { type: 'found_in_history' }>,
): Step {
  if (state.busy?.kind !== 'look_up') return stay(state);
  if (state.busy.isOutdated) return advance(release(stay(state)));
  let step = change(release(stay(state)), { failedLookUps: 0 });
  for (const id of asked) {
    const one = state.pending.find((other) => other.id === id);
    // Its echo came while the history was read, or Codex went away once more.
    if (one === undefined || one.stage !== 'unknown') continue;
    const at = found.find((other) => other.id === id);
    if (at !== undefined) step = settleFound(step, one, at);
    else if (isDefinite(step.state, one)) step = settleMissing(...withoutTold(step, one, contextOf.includes(id)));
  }
  const isOpen = step.state.pending.some((one) => one.stage === 'unknown');
  return isOpen ? waitForHistory(step) : advance(step);
}

/** Killed between the two, Codex has the events and not the message: they do not go a second time. */
function withoutTold(step: Step, one: Pending, areTold: boolean): [Step, Pending] {
  if (one.kind === 'injection' || !areTold) return [step, one];
  const bare = { ...one, carried: [] };
  return [patchMessage(toldTo(step, one.carried, null), one.id, { carried: [] }), bare];
}

/** While a turn of the same process runs, Codex may be about to keep what its history lacks. */
function isDefinite({ thread }: OutboxState, one: Pending): boolean {
  return thread.turnId === null || (one.kind === 'message' && one.doubt === 'gone');
}

function settleFound(step: Step, one: Pending, at: Found): Step {
  if (one.kind === 'message') return settleDelivered(step, one.id, at.turnId ?? one.turnId, at.itemId);
  return appended(dropPending(step, one.id), one.batch.seqs);
}

function settleMissing(step: Step, one: Pending): Step {
  if (one.kind === 'injection') return waitAgain(step, one);
  if (one.origin === 'events') return giveEventsAgain(step, one);
  // A queue goes on by itself. A person who waits for an answer decides, and sees what was said.
  const goesAgain = one.mode === 'queue' && one.doubt !== 'silent' && one.tries < MAX_TRIES;
  if (!goesAgain) return settleUndelivered(step, one, one.doubt === 'silent' ? SILENT : NOT_KEPT);
  const again = putBack(
    patchMessage(step, one.id, { stage: 'stored', turnId: null, doubt: null, carried: [] }),
    one.carried,
  );
  const reason = { code: 'codex_unavailable', message: NOT_KEPT.message } as const;
  return change(
    again,
    {},
    { do: 'settle', id: one.id, isDelivered: false },
    { do: 'entry', id: one.id, state: 'sent', turnId: null, itemId: null, reason },
  );
}

/** Whoever looks at the events sees that they wait, not that they are on their way. */
function waitAgain(step: Step, { id, batch }: Extract<Pending, { kind: 'injection' }>): Step {
  const standing = { state: 'held', mode: 'append_to_thread', reason: 'thread_not_loaded' } as const;
  return putBack(change(dropPending(step, id), {}, { do: 'standing', seqs: batch.seqs, standing }), [batch]);
}

/** The words were ours; the events are what counts, and they want the same again. */
function giveEventsAgain(step: Step, one: PendingMessage): Step {
  return putBack(change(settleWords(step, one, NOT_KEPT), { runningHops: 0 }), one.carried);
}

export function historyUnavailable(state: OutboxState, asked: readonly string[], isCodexRunning: boolean): Step {
  if (state.busy?.kind !== 'look_up') return stay(state);
  if (state.busy.isOutdated) return advance(release(stay(state)));
  if (!isCodexRunning) return change(release(stay(state)), { isHistoryOut: true });
  const failedLookUps = state.failedLookUps + 1;
  const step = change(release(stay(state)), { failedLookUps });
  if (failedLookUps < MAX_FAILED_LOOK_UPS) return waitForHistory(step);
  let settled = change(step, { failedLookUps: 0 });
  for (const one of state.pending.filter((other) => asked.includes(other.id)))
    settled = one.kind === 'message' ? settleUndelivered(settled, one, UNCONFIRMED) : waitAgain(settled, one);
  return advance(settled);
}

/** What the disk says: the queue, and messages whose delivery was never settled. */
export function recovered(state: OutboxState, disk: Omit<Extract<OutboxInput, { type: 'recovered' }>, 'type'>): Step {
  const given = new Set([...disk.given, ...disk.unsettled.map((one) => one.id)]);
  const pending = [...disk.unsettled.map(pendingOf), ...state.pending];
  const doubled = disk.queue.filter((id) => given.has(id));
  const queue = disk.queue.filter((id) => !given.has(id)).map((id) => ({ id, isStored: true }));
  return change(
    rememberTold(
      stay(state),
      disk.told.flatMap((one) => one.events),
    ),
    // Codex is asked once it is there.
    { pending, queue, isPaused: disk.isPaused, isHistoryOut: true },
    ...doubled.map((id) => ({ do: 'remove_from_queue', id }) as const),
    ...disk.told.flatMap(({ id, events }): OutboxOutput[] => [
      { do: 'standing', seqs: events, standing: { state: 'delivered', mode: 'queue_for_next_turn' } },
      { do: 'settle', id, isDelivered: true },
    ]),
  );
}

function pendingOf({ id, mode, origin, turnId, events }: Unsettled): PendingMessage {
  return newMessage(id, mode, {
    origin,
    turnId,
    stage: 'unknown',
    doubt: 'restarted',
    isStored: true,
    isQueued: mode === 'queue',
    isAnswered: true,
    tries: 1,
    carried: events.length === 0 ? [] : [carriedBefore(origin, mode, events)],
  });
}

const carriedBefore = (origin: Unsettled['origin'], mode: Unsettled['mode'], seqs: readonly number[]): EventBatch => ({
  mode: origin === 'events' && mode !== 'steer' ? 'auto_turn' : 'queue_for_next_turn',
  seqs,
  hops: 0,
  turnId: null,
  isHeld: false,
  isBlocked: false,
});

export function injectionsRecovered(
  state: OutboxState,
  injections: readonly { readonly id: string; readonly batch: EventBatch }[],
): Step {
  const known = new Set(state.pending.map((one) => one.id));
  const fresh = injections.filter((one) => !known.has(one.id));
  const pending = fresh.map(({ id, batch }): Pending => ({ kind: 'injection', id, stage: 'unknown', batch }));
  return advance(change(stay(state), { pending: [...state.pending, ...pending] }));
}
