/** How a turn begins and ends: idle → running → completed | failed | interrupted, exactly once each. */
import type { EntryOf } from '../../contract/entry.ts';
import type { TurnEnd, TurnFailure } from '../codex/signal.ts';
import { closeAsks } from './asks.ts';
import { diffHash, diffId, diffOfChanges, filesOfDiff } from './diff-identity.ts';
import { entryOfOrphan } from './items.ts';
import type { Step, ThreadState } from './thread-state.ts';
import {
  change,
  emit,
  isRecorded,
  itemKey,
  MAX_FOLLOWED,
  markEnded,
  markRecorded,
  record,
  setActivity,
  without,
} from './thread-state.ts';

/** Idempotent: an item may announce its turn before `turn/started` does, and a review nests one turn in another. */
export function beginTurn(step: Step, turnId: string, startedAtMs: number): Step {
  const { turn, endedTurns } = step.state;
  if (turnId === '' || endedTurns.includes(turnId)) return step;
  if (turn === null) {
    const begun = change(
      step,
      { turn: { id: turnId, nested: [], startedAtMs, errors: [], isReview: false } },
      { do: 'remember' },
    );
    const shown = setActivity(begun, { state: 'running', text: 'Working', turn_id: turnId });
    return emit(shown, { do: 'lifecycle', event: { type: 'turn_started', turnId } });
  }
  if (turn.id === turnId || turn.nested.includes(turnId)) return step;
  return change(step, { turn: { ...turn, nested: [...turn.nested, turnId] } });
}

export interface TurnOutcome {
  readonly status: TurnEnd;
  readonly failure: TurnFailure | null;
  readonly durationMs: number | null;
  /** The Codex method, or our own word, that ended it. */
  readonly event: string;
  /** True when the process is gone: then commands that outlive turns are over too. */
  readonly isProcessGone: boolean;
}

export function finishTurn(before: Step, turnId: string, outcome: TurnOutcome, at: number): Step {
  if (before.state.endedTurns.includes(turnId)) return before;
  const turn = before.state.turn;
  const isRunning = turn !== null && (turn.id === turnId || turn.nested.includes(turnId));
  const ids = isRunning ? [turn.id, ...turn.nested] : [turnId];
  let step = closeOrphans(
    before,
    (open) => ids.includes(open.turnId) && (outcome.isProcessGone || open.processId === null),
  );
  step = closeAsks(step, ids, outcome);
  for (const id of ids) step = recordUntold(step, id, outcome.event);
  step = recordPlan(step, ids);
  step = recordUsage(step, ids);
  step = recordFailure(step, turnId, outcome);
  const status = outcome.status === 'completed' ? 'success' : outcome.status === 'failed' ? 'error' : 'warning';
  step = emit(step, {
    do: 'append',
    entry: {
      role: 'status',
      status,
      turn_status: outcome.status,
      duration_ms: outcome.durationMs ?? (isRunning && turn.startedAtMs !== null ? at - turn.startedAtMs : null),
      turn_id: turnId,
      event: outcome.event,
    },
  });
  step = change(step, { endedTurns: markEnded(step.state, ids), turn: isRunning ? null : turn });
  if (!isRunning) return step;
  step = setActivity(step, { state: 'idle', text: '', turn_id: null, lamp: status });
  // The id that `turn_started` named: a review may end by the id of the turn inside it.
  const event = { type: 'turn_ended', turnId: turn.id, status: outcome.status } as const;
  return emit(step, { do: 'remember' }, { do: 'lifecycle', event });
}

export function closeOrphans(before: Step, isOrphan: (open: ThreadState['open'][string]) => boolean): Step {
  let step = before;
  for (const [key, open] of Object.entries(before.state.open)) {
    if (!isOrphan(open)) continue;
    const entry = entryOfOrphan(open);
    step = change(step, { open: without(step.state.open, key) });
    step =
      entry === null
        ? emit(step, { do: 'publish', event: { type: 'discard', item_id: open.live.item_id, turn_id: open.turnId } })
        : record(step, key, entry);
  }
  return step;
}

/** Seen when a patch was retried without the sandbox, or was made while we were down. */
function recordUntold(step: Step, turnId: string, event: string): Step {
  const untold = step.state.untold.filter((one) => one.turnId === turnId);
  if (untold.length === 0) return step;
  const diff = diffOfChanges(
    untold.flatMap((one) => one.changes),
    step.state.cwd,
  );
  return recordDiff(step, turnId, diff, { status: 'applied', event, itemIds: untold.map((one) => one.itemId) });
}

export interface DiffOrigin {
  readonly status: EntryOf<'diff'>['status'];
  readonly event: string;
  /** The items whose changes it tells; the entry names the last. */
  readonly itemIds: readonly string[];
  /** The diff in Codex's own words, by which it is recognized. */
  readonly told?: string;
}

export function recordDiff(before: Step, turnId: string, diff: string, origin: DiffOrigin): Step {
  const { conversationId, threadId, digest, diffTurns } = before.state;
  const hash = diffHash(digest, origin.status, origin.told ?? diff);
  const files = filesOfDiff(diff);
  const first = files[0];
  const itemId = origin.itemIds.at(-1);
  const step = record(before, itemKey(turnId, `diff:${hash}`), {
    role: 'diff',
    diff_id: diffId(threadId ?? conversationId, turnId, hash),
    diff,
    ...(first !== undefined && { path: first.moved_to ?? first.path }),
    files,
    status: origin.status,
    turn_id: turnId,
    ...(itemId !== undefined && { item_id: itemId }),
    event: origin.event,
  });
  const isNewTurn = origin.status === 'applied' && !diffTurns.includes(turnId);
  const noted = isNewTurn ? change(step, { diffTurns: [...diffTurns, turnId].slice(-MAX_FOLLOWED) }) : step;
  return tellChanges(noted, turnId, origin.itemIds);
}

/** Nothing more is to be said of these items' changes. */
export function tellChanges(before: Step, turnId: string, itemIds: readonly string[]): Step {
  let step = change(before, {
    untold: before.state.untold.filter((one) => one.turnId !== turnId || !itemIds.includes(one.itemId)),
  });
  for (const itemId of itemIds) {
    const key = itemKey(turnId, itemId);
    if (!isRecorded(step.state, key)) step = markRecorded(step, key);
  }
  return step;
}

function recordPlan(step: Step, turnIds: readonly string[]): Step {
  const { plan } = step.state;
  if (plan === null || !turnIds.includes(plan.turnId)) return step;
  return record(change(step, { plan: null }), itemKey(plan.turnId, planItemId(plan.turnId)), {
    role: 'plan',
    steps: [...plan.steps],
    ...(plan.text !== null && { text: plan.text }),
    turn_id: plan.turnId,
    item_id: planItemId(plan.turnId),
    event: 'turn/plan/updated',
  });
}

/** `update_plan` is no item of Codex; ours needs an id for the live row. */
export const planItemId = (turnId: string): string => `${turnId}-update-plan`;

function recordUsage(step: Step, turnIds: readonly string[]): Step {
  const { usage, usageTurnId } = step.state;
  if (usage === null || usageTurnId === null || !turnIds.includes(usageTurnId)) return step;
  const entry = { role: 'token_usage', ...usage, turn_id: usageTurnId, event: 'thread/tokenUsage/updated' } as const;
  return record(change(step, { usageTurnId: null }), itemKey(usageTurnId, 'usage'), entry);
}

function recordFailure(step: Step, turnId: string, outcome: TurnOutcome): Step {
  const { failure } = outcome;
  if (failure === null || step.state.turn?.errors.includes(failure.message)) return step;
  return emit(step, {
    do: 'append',
    entry: {
      role: 'error',
      text: failure.message,
      ...(failure.code !== null && { code: failure.code }),
      turn_id: turnId,
      event: outcome.event,
    },
  });
}
