/** Events in the outbox: how they wait, what takes them along, and where they stand when it did not work. */
import type { EventStanding } from '../../contract/external-event.ts';
import type { Failure } from '../../contract/result.ts';
import { TURNED_OFF } from '../events/plan-delivery.ts';
import { change, type EventBatch, emit, type OutboxState, type Step, seqsOf } from './state.ts';

/** Events that belong together arrive together; well below the second within which a turn is to start. */
const GATHER_MS = 150;

/** What goes with the next message, whoever wrote it: everything but what goes into the history by itself. */
export const isCarriable = (batch: EventBatch): boolean => batch.mode !== 'append_to_thread' && !batch.isHeld;

export const isForTurn =
  (turnId: string) =>
  (batch: EventBatch): boolean =>
    batch.mode === 'turn_steer' && batch.turnId === turnId && !batch.isHeld;

export const wantsTurn = (batch: EventBatch): boolean => batch.mode === 'auto_turn' && !batch.isHeld;

export const isAppendable = (batch: EventBatch): boolean =>
  batch.mode === 'append_to_thread' && !batch.isHeld && !batch.isBlocked;

/** Batches of one kind become one, so that their number stays small however many arrive. */
function addBatches(waiting: readonly EventBatch[], more: readonly EventBatch[]): readonly EventBatch[] {
  const batches = [...waiting];
  for (const one of more) {
    if (one.seqs.length === 0) continue;
    const at = batches.findIndex((other) => isSameKind(other, one));
    const other = batches[at];
    if (other === undefined) batches.push(one);
    else batches[at] = { ...other, seqs: [...other.seqs, ...one.seqs], hops: Math.max(other.hops, one.hops) };
  }
  return batches;
}

const isSameKind = (one: EventBatch, other: EventBatch): boolean =>
  one.mode === other.mode &&
  one.turnId === other.turnId &&
  one.isHeld === other.isHeld &&
  one.isBlocked === other.isBlocked;

/** Events that came back keep their place in the order of arrival. */
function inOrder(batches: readonly EventBatch[]): readonly EventBatch[] {
  return batches.map((one) => ({ ...one, seqs: one.seqs.toSorted((a, b) => a - b) }));
}

export function arrive(
  step: Step,
  batches: readonly EventBatch[],
  { isRecovery, isOverLimit }: { readonly isRecovery: boolean; readonly isOverLimit: boolean },
): Step {
  const fresh = isRecovery || !isNewer(step.state, batches) ? withoutKnown(step.state, batches) : batches;
  let next = change(step, { events: addBatches(step.state.events, fresh) });
  if (isOverLimit && !next.state.hasWarned)
    next = change(next, { hasWarned: true }, { do: 'warn', code: 'event_loop', failure: null });
  // The switch may have been turned since these were planned, or just before a restart.
  const { areEventsOn } = next.state.thread;
  if (isRecovery || fresh.some((one) => one.isHeld === areEventsOn)) next = switchEvents(next, areEventsOn);
  return gather(next);
}

/** Events arrive in order; only around the opening of a ledger one may be told twice. */
function isNewer({ events, pending }: OutboxState, batches: readonly EventBatch[]): boolean {
  const known = [...events, ...pending.flatMap((one) => (one.kind === 'message' ? one.carried : [one.batch]))];
  const newest = Math.max(0, ...known.map(({ seqs }) => seqs.at(-1) ?? 0));
  return batches.every(({ seqs }) => (seqs[0] ?? Number.POSITIVE_INFINITY) > newest);
}

/** The ledger tells again what a message of before a restart carries, or what a switch has put back. */
function withoutKnown(state: OutboxState, batches: readonly EventBatch[]): readonly EventBatch[] {
  const carried = state.pending.flatMap((one) => (one.kind === 'message' ? seqsOf(one.carried) : one.batch.seqs));
  const known = new Set([...seqsOf(state.events), ...carried, ...state.told]);
  return batches.map((one) => ({ ...one, seqs: one.seqs.filter((seq) => !known.has(seq)) }));
}

/** Starts the short wait after which events get a turn of their own. */
export function gather(step: Step): Step {
  const { isGathering, events } = step.state;
  if (isGathering || !events.some(wantsTurn)) return step;
  return change(step, { isGathering: true }, { do: 'set_timer', name: 'gather', ms: GATHER_MS });
}

/** Takes batches out of those that wait. */
export function take(step: Step, fits: (batch: EventBatch) => boolean): [Step, readonly EventBatch[]] {
  const taken = step.state.events.filter(fits);
  if (taken.length === 0) return [step, []];
  return [change(step, { events: step.state.events.filter((one) => !fits(one)) }), taken];
}

/** The model does not have them: they wait again, as they did, or are held if events were switched off meanwhile. */
export function putBack(step: Step, batches: readonly EventBatch[]): Step {
  if (batches.length === 0) return step;
  const back = batches.map((one) => ({ ...one, isHeld: false }));
  const waiting = change(step, { events: inOrder(addBatches(step.state.events, back)) });
  return gather(step.state.thread.areEventsOn ? waiting : switchEvents(waiting, false));
}

/** They cannot have what they wanted; they go with the next message, and say why. */
export function demote(step: Step, batches: readonly EventBatch[], reason: string): Step {
  const seqs = seqsOf(batches);
  if (seqs.length === 0) return step;
  const isHeld = !step.state.thread.areEventsOn;
  const mode = 'queue_for_next_turn' as const;
  const events = inOrder(
    addBatches(
      step.state.events,
      batches.map((one) => ({ ...one, mode, turnId: null, isHeld })),
    ),
  );
  const standing: EventStanding = isHeld
    ? { state: 'held', mode, reason: TURNED_OFF }
    : { state: 'queued', mode, reason };
  return change(step, { events }, { do: 'standing', seqs, standing });
}

/** Steers whose turn is over, or is another one. */
export function demoteLateSteers(step: Step): Step {
  const { turnId } = step.state.thread;
  const [rest, late] = take(step, (one) => one.mode === 'turn_steer' && (one.turnId === null || one.turnId !== turnId));
  return demote(rest, late, 'no_active_turn');
}

/** Whoever pressed stop does not want the next turn to start by itself. */
export function demoteAutoTurns(step: Step, reason: string): Step {
  const [rest, wanted] = take(step, (one) => one.mode === 'auto_turn');
  return demote(rest, wanted, reason);
}

export function toldTo(step: Step, batches: readonly EventBatch[], turnId: string | null): Step {
  const seqs = seqsOf(batches);
  if (seqs.length === 0) return step;
  const standing = {
    state: 'delivered',
    mode: 'queue_for_next_turn',
    ...(turnId !== null && { turn_id: turnId }),
  } as const;
  return emit(rememberTold(step, seqs), { do: 'standing', seqs, standing });
}

/** More than one message carries. */
const MAX_TOLD = 1_000;

export const rememberTold = (step: Step, seqs: readonly number[]): Step =>
  change(step, { told: [...step.state.told, ...seqs].slice(-MAX_TOLD) });

/** Events were switched on or off for the conversation: what waits is held, or not any more. */
export function switchEvents(step: Step, areEventsOn: boolean): Step {
  const [rest, turned] = take(step, (one) => one.isHeld === areEventsOn);
  let next = rest;
  for (const mode of ['append_to_thread', 'queue_for_next_turn'] as const) {
    const group = turned.filter((one) => (one.mode === 'append_to_thread') === (mode === 'append_to_thread'));
    const seqs = seqsOf(group);
    if (seqs.length === 0) continue;
    const batches = group.map((one) => ({ ...one, mode, turnId: null, isHeld: !areEventsOn, isBlocked: false }));
    const standing: EventStanding = areEventsOn
      ? { state: 'queued', mode }
      : { state: 'held', mode, reason: TURNED_OFF };
    next = change(
      next,
      { events: inOrder(addBatches(next.state.events, batches)) },
      { do: 'standing', seqs, standing },
    );
  }
  return next;
}

export const unblock = (step: Step): Step =>
  step.state.events.some((one) => one.isBlocked)
    ? change(step, {
        events: addBatches(
          [],
          step.state.events.map((one) => ({ ...one, isBlocked: false })),
        ),
      })
    : step;

/** Codex would not take them into the history: they are held, and say so once. */
export function block(step: Step, batch: EventBatch, failure: Failure): Step {
  const mode = 'append_to_thread' as const;
  const standing: EventStanding = { state: 'held', mode, reason: failure.code };
  const events = inOrder(addBatches(step.state.events, [{ ...batch, isBlocked: true }]));
  return change(step, { events }, { do: 'standing', seqs: batch.seqs, standing });
}
