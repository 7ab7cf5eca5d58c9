/** The requests of Codex that wait for an answer: how they open, and the one way each of them ends. */
import type { PendingApproval } from '../../contract/approval.ts';
import { type AskEnd, entryOfAsk, openAsk } from '../approvals/card.ts';
import { autoReply } from '../approvals/reply.ts';
import type { Item } from '../codex/item.ts';
import type { Signal, TurnEnd } from '../codex/signal.ts';
import type { OpenItem, Step, ThreadState } from './thread-state.ts';
import { change, emit, itemKey, record, setActivity, stay, UNNAMED_PROCESS, without } from './thread-state.ts';

const askKey = (epoch: string, rpcId: string | number): string => `${epoch}:${JSON.stringify(rpcId)}`;

export function openRequest(step: Step, signal: Extract<Signal, { type: 'request' }>, at: number): Step {
  const { state } = step;
  if (signal.auto !== null) return emit(step, { do: 'reply', rpcId: signal.rpcId, body: autoReply(signal.auto, at) });
  if (signal.ask === null) return step;
  const key = askKey(signal.epoch, signal.rpcId);
  // Codex repeats what is still open to a client that resumes the thread.
  if (state.asks[key] !== undefined) return step;
  const ask = state.remembered[key] ?? openAsk(state, signal, signal.ask, subjectOf(state, signal), at);
  const opened = change(
    step,
    { asks: { ...state.asks, [key]: ask }, remembered: without(state.remembered, key) },
    { do: 'ask', ask },
    { do: 'publish', event: { type: 'approval', approval: ask.approval } },
    { do: 'remember' },
  );
  const shown = showWaiting(opened);
  // A request from before our restart was announced when it opened.
  if (state.remembered[key] !== undefined) return shown;
  return emit(shown, { do: 'lifecycle', event: { type: 'ask_opened', approval: ask.approval } });
}

/** The open item a request is about. That of an MCP tool's approval is not named: it is the one call that runs, if it is one. */
function subjectOf(state: ThreadState, { turnId, itemId, ask }: Extract<Signal, { type: 'request' }>): OpenItem | null {
  if (turnId === null) return null;
  if (itemId !== null) return state.open[itemKey(turnId, itemId)] ?? null;
  const calls = Object.values(state.open).filter(
    ({ live }) => live.turn_id === turnId && live.role === 'tool' && live.kind === 'mcp',
  );
  return ask?.kind === 'mcp_tool' && calls.length === 1 ? (calls[0] ?? null) : null;
}

/** Answered by us (then it is gone already), by another client, or cleared by Codex. */
export function resolveRequest(state: ThreadState, rpcId: string | number): Step {
  const found = Object.entries(state.asks).find(([, open]) => open.rpcId === rpcId);
  if (found === undefined) return stay(state);
  const [key, open] = found;
  const { item_id, thread_id } = open.approval;
  // Without an item there is nothing to tell the answer by; nor is there for a sub-agent's, whose items are not ours.
  if (item_id === null || state.children.includes(thread_id))
    return showWaiting(
      endAsk(stay(state), key, { status: 'expired', decision: null, event: 'serverRequest/resolved' }),
    );
  const asks = { ...state.asks, [key]: { ...open, isAnsweredElsewhere: true } };
  return showWaiting(change(stay(state), { asks }, { do: 'unask', approvalId: open.approval.approval_id }));
}

/**
 * Codex says `active` again once a request is out of the way: a command that was declined has ended by then, so one that has
 * not runs, perhaps for hours; and questions have no item to wait for. Changes and tools end soon, and tell more.
 */
export function settleRunning(state: ThreadState): Step {
  let step = stay(state);
  for (const [key, open] of Object.entries(state.asks)) {
    const { kind } = open.approval;
    if (!open.isAnsweredElsewhere || (kind !== 'command' && kind !== 'questions')) continue;
    step = endAsk(step, key, { status: 'accepted', decision: null, event: 'thread/status/changed' });
  }
  return step;
}

/** How an item ended tells how somebody else answered the request about it. */
export function settleAsksOf(before: Step, turnId: string, item: Item): Step {
  let step = before;
  const { asks, remembered } = before.state;
  for (const [key, open] of Object.entries({ ...remembered, ...asks })) {
    const { item_id, turn_id } = open.approval;
    if (item_id !== item.id || (turn_id !== null && turn_id !== turnId)) continue;
    // One that Codex did not repeat after our restart was answered meanwhile.
    const isAnswered = open.isAnsweredElsewhere || asks[key] === undefined;
    const status = isAnswered ? (isRefused(item) ? 'declined' : 'accepted') : 'expired';
    step = endAsk(step, key, { status, decision: null, event: 'item/completed' });
  }
  return showWaiting(step);
}

/** A declined MCP call ends as failed, with only its message to tell. */
function isRefused(item: Item): boolean {
  if (item.kind === 'tool') return item.error !== null && /\brejected\b/.test(item.error);
  return 'status' in item && item.status === 'declined';
}

export function showWaiting(step: Step): Step {
  const open = Object.values(step.state.asks).find((one) => !one.isAnsweredElsewhere);
  if (open !== undefined) return setActivity(step, { state: 'waiting', text: open.approval.title });
  if (step.state.activity.state !== 'waiting') return step;
  return setActivity(step, {
    state: step.state.turn === null ? 'idle' : 'running',
    text: step.state.turn === null ? '' : 'Working',
  });
}

/** What the end of a turn means for its requests. */
interface TurnsEnd {
  readonly status: TurnEnd;
  readonly event: string;
  readonly isProcessGone: boolean;
}

/** Requests of a turn that ended can no longer be answered; neither can those a dead process made. */
export function closeAsks(before: Step, turnIds: readonly string[], outcome: TurnsEnd): Step {
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
    end.status === 'accepted' ? letOutlive(step, approval) : step,
    { asks: without(step.state.asks, key), remembered: without(step.state.remembered, key) },
    { do: 'unask', approvalId: approval.approval_id },
  );
  const recorded = record(closed, `approval:${approval.approval_id}`, entryOfAsk(approval, step.state.cwd, end));
  const event = { type: 'ask_closed', approvalId: approval.approval_id, status: end.status } as const;
  return emit(recorded, { do: 'remember' }, { do: 'lifecycle', event });
}

/** A command that was asked about starts without the name of its process, and gets none when it is allowed to run. */
function letOutlive(step: Step, { turn_id, item_id }: PendingApproval): Step {
  const key = itemKey(turn_id ?? '', item_id ?? '');
  const open = step.state.open[key];
  if (open?.live.role !== 'command' || open.processId !== null) return step;
  return change(step, { open: { ...step.state.open, [key]: { ...open, processId: UNNAMED_PROCESS } } });
}
