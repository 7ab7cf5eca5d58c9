/** How a turn begins and ends: idle → running → completed | failed | interrupted, exactly once each. */
import type { AskEnd } from '../approvals/card.ts';
import { entryOfAsk } from '../approvals/card.ts';
import type { TurnEnd, TurnFailure } from '../codex/signal.ts';
import { diffId, diffOfChanges, filesOfDiff } from './diff-identity.ts';
import { entryOfOrphan } from './items.ts';
import type { Step, ThreadState } from './thread-state.ts';
import { change, emit, itemKey, markEnded, record, setActivity, without } from './thread-state.ts';

/** Idempotent: an item may announce its turn before `turn/started` does, and a review nests one turn in another. */
export function beginTurn(step: Step, turnId: string, startedAtMs: number): Step {
  const { turn, endedTurns } = step.state;
  if (endedTurns.includes(turnId)) return step;
  if (turn === null) {
    const begun = change(step, { turn: { id: turnId, nested: [], startedAtMs, errors: [] } }, { do: 'remember' });
    return setActivity(begun, { state: 'running', text: 'Working', turn_id: turnId });
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
  for (const id of ids) step = recordUncoveredChanges(step, id);
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
      duration_ms: outcome.durationMs ?? (isRunning ? at - turn.startedAtMs : null),
      turn_id: turnId,
      event: outcome.event,
    },
  });
  step = change(step, { endedTurns: markEnded(step.state, ids), turn: isRunning ? null : turn });
  if (!isRunning) return step;
  step = setActivity(step, { state: 'idle', text: '', turn_id: null, lamp: status });
  return emit(step, { do: 'remember' }, { do: 'idle', after: outcome.status });
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

/** Requests of a turn that ended can no longer be answered; neither can those a dead process made. */
function closeAsks(before: Step, turnIds: readonly string[], outcome: TurnOutcome): Step {
  const status = outcome.status === 'interrupted' && !outcome.isProcessGone ? 'cancelled' : 'expired';
  let step = before;
  for (const [key, open] of Object.entries({ ...before.state.remembered, ...before.state.asks })) {
    const { turn_id } = open.approval;
    if (!outcome.isProcessGone && turn_id !== null && !turnIds.includes(turn_id)) continue;
    const answered = open.isAnsweredElsewhere && outcome.status === 'completed' ? 'accepted' : status;
    step = endAsk(step, key, { status: answered, decision: null, event: outcome.event });
  }
  return step;
}

export function endAsk(step: Step, key: string, end: AskEnd): Step {
  const open = step.state.asks[key] ?? step.state.remembered[key];
  if (open === undefined) return step;
  const { approval } = open;
  const closed = change(
    step,
    { asks: without(step.state.asks, key), remembered: without(step.state.remembered, key) },
    { do: 'unask', approvalId: approval.approval_id },
  );
  const recorded = record(closed, `approval:${approval.approval_id}`, entryOfAsk(approval, step.state.cwd, end));
  return emit(recorded, { do: 'remember' });
}

/** Changes that were applied and that no turn diff has told of: seen when a patch was retried without the sandbox, or while we were down. */
function recordUncoveredChanges(step: Step, turnId: string): Step {
  const changes = step.state.uncovered[turnId] ?? [];
  const rest = { uncovered: without(step.state.uncovered, turnId), diffs: without(step.state.diffs, turnId) };
  if (changes.length === 0) return change(step, rest);
  return recordDiff(
    change(step, rest),
    turnId,
    diffOfChanges(changes, step.state.cwd),
    'applied',
    'turn/completed',
    null,
  );
}

export function recordDiff(
  step: Step,
  turnId: string,
  diff: string,
  status: 'applied' | 'declined' | 'failed' | 'interrupted',
  event: string,
  itemId: string | null,
): Step {
  const { state } = step;
  const hash = state.digest(`${status}\n${diff}`).slice(0, 16);
  const files = filesOfDiff(diff);
  const first = files[0];
  return record(step, itemKey(turnId, `diff:${hash}`), {
    role: 'diff',
    diff_id: diffId(state.conversationId, turnId, hash),
    diff,
    ...(first !== undefined && { path: first.moved_to ?? first.path }),
    files,
    status,
    turn_id: turnId,
    ...(itemId !== null && { item_id: itemId }),
    event,
  });
}

function recordPlan(step: Step, turnIds: readonly string[]): Step {
  const { plan } = step.state;
  if (plan === null || !turnIds.includes(plan.turnId)) return step;
  return record(change(step, { plan: null }), itemKey(plan.turnId, 'plan'), {
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
