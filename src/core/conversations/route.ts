/** The decider: what becomes of each signal. Decides; performs nothing. Total: no signal makes it throw. */
import type { LiveItem } from '../../contract/ui-event.ts';
import { openAsk } from '../approvals/card.ts';
import { autoReply } from '../approvals/reply.ts';
import type { Item } from '../codex/item.ts';
import type { OwnSignal, Signal } from '../codex/signal.ts';
import { diffOfChanges } from './diff-identity.ts';
import { activityOfItem, entryOfItem, liveItemOf } from './items.ts';
import { appendText } from './live.ts';
import { reconcile } from './reconcile.ts';
import type { OpenItem, Step, ThreadState } from './thread-state.ts';
import { change, emit, isRecorded, itemKey, record, setActivity, stay, without } from './thread-state.ts';
import { beginTurn, closeOrphans, endAsk, finishTurn, planItemId, recordDiff } from './turn.ts';

export function route(state: ThreadState, signal: Signal | OwnSignal, at: number): Step {
  switch (signal.type) {
    case 'turn.started':
      return beginTurn(stay(state), signal.turnId, signal.startedAtMs ?? at);
    case 'turn.completed':
      return finishTurn(stay(state), signal.turnId, { ...signal, event: 'turn/completed', isProcessGone: false }, at);
    case 'item.started':
      return startItem(stay(state), signal.turnId, signal.item, at);
    case 'item.completed':
      return completeItem(stay(state), signal.turnId, signal.item, at);
    case 'item.delta':
      return addDelta(state, signal, at);
    case 'item.changes':
      return changeOpenItem(state, signal.turnId, signal.itemId, (open) => ({ ...open, changes: signal.changes }));
    case 'item.progress':
      return signal.text.trim() === '' ? stay(state) : setActivity(stay(state), { text: signal.text.trim() });
    case 'diff.updated':
      return updateDiff(state, signal.turnId, signal.diff);
    case 'plan.updated':
      return updatePlan(state, signal, at);
    case 'usage.updated':
      return change(
        stay(state),
        { usage: signal.usage, usageTurnId: state.endedTurns.includes(signal.turnId) ? null : signal.turnId },
        { do: 'publish', event: { type: 'usage', usage: signal.usage } },
      );
    case 'error':
      return routeError(state, signal);
    case 'warning':
      return emit(stay(state), { do: 'append', entry: { role: 'warning', text: signal.text, code: signal.code } });
    case 'model.rerouted': {
      const text = `The model was changed from ${signal.from} to ${signal.to} for this turn.`;
      const origin = { turn_id: signal.turnId, event: 'model/rerouted' };
      return emit(stay(state), { do: 'append', entry: { role: 'warning', text, code: 'model_rerouted', ...origin } });
    }
    case 'request':
      return openRequest(state, signal, at);
    case 'request.resolved':
      return resolveRequest(state, signal.rpcId);
    case 'message.sent':
      return change(stay(state), {
        sent: [...state.sent, { clientMessageId: signal.clientMessageId, text: signal.text }],
      });
    case 'message.refused':
      return change(stay(state), { sent: state.sent.filter((one) => one.clientMessageId !== signal.clientMessageId) });
    case 'approval.answered': {
      const found = Object.entries(state.asks).find(([, open]) => open.approval.approval_id === signal.approvalId);
      if (found === undefined) return stay(state);
      const { status, decision } = signal;
      return showWaiting(endAsk(stay(state), found[0], { status, decision, event: 'answered' }));
    }
    case 'turns.found':
      return reconcile(state, signal.turns, at, { startItem, completeItem });
    case 'codex.gone':
      return loseCodex(state, signal.reason, at);
    case 'thread.started':
    case 'thread.status':
    case 'thread.named':
    case 'thread.settings':
    case 'thread.gone':
    case 'limits.updated':
    case 'ignored':
      return stay(state);
    case 'unknown':
      return emit(stay(state), { do: 'note', level: 'warn', code: 'unknown_method', data: signal.method });
    case 'noise':
      return emit(stay(state), { do: 'note', level: 'debug', code: 'noise', data: signal.text });
    default:
      return signal satisfies never;
  }
}

function startItem(before: Step, turnId: string, item: Item, at: number): Step {
  const key = itemKey(turnId, item.id);
  if (isRecorded(before.state, key) || before.state.open[key] !== undefined) return before;
  let step = beginTurn(before, turnId, at);
  if (item.kind === 'user') return recordUser(step, turnId, item);
  if (item.kind === 'command' && item.isUserShell) {
    const origin = { turn_id: turnId, item_id: item.id, event: 'item/started' };
    step = record(step, `${key}#input`, { role: 'shell_input', command: item.command, cwd: item.cwd, ...origin });
  }
  const live = liveItemOf(item, turnId, at, step.state.cwd);
  if (live !== null) {
    const open: OpenItem = {
      turnId,
      live,
      part: 0,
      changes: item.kind === 'file_change' ? item.changes : [],
      processId: item.kind === 'command' ? item.processId : null,
    };
    step = change(
      step,
      { open: { ...step.state.open, [key]: open } },
      { do: 'publish', event: { type: 'item', item: live } },
    );
  }
  const text = activityOfItem(item);
  return text === null ? step : setActivity(step, { text });
}

function completeItem(before: Step, turnId: string, item: Item, at: number): Step {
  const key = itemKey(turnId, item.id);
  if (isRecorded(before.state, key)) return before;
  let step = beginTurn(before, turnId, at);
  if (item.kind === 'user') return recordUser(step, turnId, item);
  if (item.kind === 'command' && item.isUserShell && !isRecorded(step.state, `${key}#input`)) {
    step = startItem(step, turnId, item, at);
  }
  step = change(step, { open: without(step.state.open, key) });
  step = settleAsksOf(step, turnId, item);
  if (item.kind === 'file_change') return completeFileChange(step, turnId, item);
  if (item.kind === 'tool' && item.childThreadId !== null) step = adoptChild(step, item.childThreadId);
  const entry = entryOfItem(item, { turnId, event: 'item/completed' });
  if (entry === null)
    return emit(step, { do: 'publish', event: { type: 'discard', item_id: item.id, turn_id: turnId } });
  step = record(step, key, entry);
  if (item.kind === 'command') return setActivity(step, { lamp: item.status === 'completed' ? 'success' : 'error' });
  return step;
}

/** The echo of a message. It also ends whatever the model was saying: a steer cuts the stream without a word. */
function recordUser(before: Step, turnId: string, item: Extract<Item, { kind: 'user' }>): Step {
  const key = itemKey(turnId, item.id);
  if (isRecorded(before.state, key)) return before;
  const isSpeech = (open: OpenItem) =>
    open.turnId === turnId && (open.live.role === 'assistant' || open.live.role === 'reasoning');
  let step = closeOrphans(before, isSpeech);
  const { sent } = step.state;
  const echo = sent.find((one) => one.clientMessageId === item.clientId) ?? sent.find((one) => one.text === item.text);
  const clientId = item.clientId ?? echo?.clientMessageId ?? null;
  if (echo !== undefined) step = change(step, { sent: sent.filter((one) => one !== echo) });
  const entry = entryOfItem({ ...item, clientId }, { turnId, event: 'item/completed' });
  return entry === null ? step : record(step, key, entry);
}

/** Applied changes are told by the turn's diff; those that were refused or failed are told here, since nothing else will. */
function completeFileChange(step: Step, turnId: string, item: Extract<Item, { kind: 'file_change' }>): Step {
  const discard = { do: 'publish', event: { type: 'discard', item_id: item.id, turn_id: turnId } } as const;
  if (item.status === 'declined' || item.status === 'failed') {
    const refused = recordDiff(
      step,
      turnId,
      diffOfChanges(item.changes, step.state.cwd),
      item.status,
      'item/completed',
      item.id,
    );
    return emit(refused, discard);
  }
  const uncovered = [...(step.state.uncovered[turnId] ?? []), ...item.changes];
  return change(step, { uncovered: { ...step.state.uncovered, [turnId]: uncovered } }, discard);
}

function addDelta(state: ThreadState, signal: Extract<Signal, { type: 'item.delta' }>, at: number): Step {
  const { turnId, itemId, channel } = signal;
  const key = itemKey(turnId, itemId);
  let step = stay(state);
  if (state.open[key] === undefined) {
    if (isRecorded(state, key)) return step;
    step = openFromDelta(step, signal, at);
  }
  const open = step.state.open[key];
  if (open === undefined) return step;
  const isNewPart = channel === 'reasoning' && signal.part > open.part && open.live.text !== '';
  const delta = isNewPart ? `\n\n${signal.delta}` : signal.delta;
  const offset = open.live.text_start + open.live.text.length;
  const next: OpenItem = { ...open, live: appendText(open.live, delta), part: signal.part };
  return change(
    step,
    { open: { ...step.state.open, [key]: next } },
    { do: 'publish', event: { type: `${channel}_delta`, item_id: itemId, turn_id: turnId, offset, delta } },
  );
}

/** After a restart of ours the first news of a running item may be its next delta. */
function openFromDelta(before: Step, signal: Extract<Signal, { type: 'item.delta' }>, at: number): Step {
  const { turnId, itemId: id, channel } = signal;
  switch (channel) {
    case 'assistant':
      return startItem(before, turnId, { kind: channel, id, text: '', phase: null, questions: [] }, at);
    case 'reasoning':
    case 'plan':
      return startItem(before, turnId, { kind: channel, id, text: '' }, at);
    case 'command':
      return startItem(before, turnId, { ...UNSEEN_COMMAND, id }, at);
    default:
      return channel satisfies never;
  }
}

/** Only its output is known; that it has a process is the safe guess, since it may outlive the turn. */
const UNSEEN_COMMAND: Extract<Item, { kind: 'command' }> = {
  kind: 'command',
  id: '',
  command: '',
  argv: '',
  cwd: '',
  output: '',
  exitCode: null,
  durationMs: null,
  status: 'in_progress',
  actions: [],
  processId: 'unknown',
  isUserShell: false,
};

function changeOpenItem(state: ThreadState, turnId: string, itemId: string, edit: (open: OpenItem) => OpenItem): Step {
  const key = itemKey(turnId, itemId);
  const open = state.open[key];
  return open === undefined ? stay(state) : change(stay(state), { open: { ...state.open, [key]: edit(open) } });
}

/** Codex repeats the turn's whole diff after every change and at the end: one row per content. */
function updateDiff(state: ThreadState, turnId: string, diff: string): Step {
  const seen = state.diffs[turnId] ?? [];
  const covered = change(stay(state), { uncovered: without(state.uncovered, turnId) });
  if (seen.includes(diff) || (diff === '' && seen.length === 0)) return covered;
  const step = change(covered, { diffs: { ...state.diffs, [turnId]: [...seen, diff] } });
  return recordDiff(step, turnId, diff, 'applied', 'turn/diff/updated', null);
}

function updatePlan(state: ThreadState, signal: Extract<Signal, { type: 'plan.updated' }>, at: number): Step {
  const { turnId, steps, text } = signal;
  const item: LiveItem = {
    role: 'plan',
    item_id: planItemId(turnId),
    turn_id: turnId,
    steps: [...steps],
    started_at_ms: at,
    text: text ?? '',
    text_start: 0,
  };
  const current = steps.find((one) => one.status === 'in_progress');
  const step = change(
    beginTurn(stay(state), turnId, at),
    { plan: { turnId, steps, text } },
    { do: 'publish', event: { type: 'item', item } },
    { do: 'remember' },
  );
  return current === undefined ? step : setActivity(step, { text: current.step });
}

/** A retry that Codex announces is only a status; a final error is an entry, once. */
function routeError(state: ThreadState, signal: Extract<Signal, { type: 'error' }>): Step {
  const { failure, turnId, willRetry } = signal;
  if (willRetry) return setActivity(stay(state), { text: failure.message, lamp: 'warning' });
  const { turn } = state;
  if (turn?.errors.includes(failure.message)) return stay(state);
  const noted =
    turn === null ? stay(state) : change(stay(state), { turn: { ...turn, errors: [...turn.errors, failure.message] } });
  const code = failure.code === null ? {} : { code: failure.code };
  const entry = { role: 'error', text: failure.message, ...code, turn_id: turnId, event: 'error' } as const;
  return setActivity(emit(noted, { do: 'append', entry }), { lamp: 'error' });
}

const askKey = (epoch: string, rpcId: string | number): string => `${epoch}:${JSON.stringify(rpcId)}`;

function openRequest(state: ThreadState, signal: Extract<Signal, { type: 'request' }>, at: number): Step {
  if (signal.auto !== null)
    return emit(stay(state), { do: 'reply', rpcId: signal.rpcId, body: autoReply(signal.auto, at) });
  if (signal.ask === null) return stay(state);
  const key = askKey(signal.epoch, signal.rpcId);
  // Codex repeats what is still open to a client that resumes the thread.
  if (state.asks[key] !== undefined) return stay(state);
  const item =
    signal.turnId !== null && signal.itemId !== null ? state.open[itemKey(signal.turnId, signal.itemId)] : undefined;
  const ask = state.remembered[key] ?? openAsk(state, signal, signal.ask, item?.changes ?? [], at);
  let step = signal.turnId === null ? stay(state) : beginTurn(stay(state), signal.turnId, at);
  step = change(
    step,
    { asks: { ...state.asks, [key]: ask }, remembered: without(state.remembered, key) },
    { do: 'ask', ask },
    { do: 'publish', event: { type: 'approval', approval: ask.approval } },
    { do: 'remember' },
  );
  return showWaiting(step);
}

/** Answered by us (then it is gone already), by another client, or cleared by Codex. */
function resolveRequest(state: ThreadState, rpcId: string | number): Step {
  const found = Object.entries(state.asks).find(([, open]) => open.rpcId === rpcId);
  if (found === undefined) return stay(state);
  const [key, open] = found;
  const { item_id } = open.approval;
  // Without an item there is nothing to tell the answer by.
  if (item_id === null)
    return showWaiting(
      endAsk(stay(state), key, { status: 'expired', decision: null, event: 'serverRequest/resolved' }),
    );
  const asks = { ...state.asks, [key]: { ...open, isAnsweredElsewhere: true } };
  return showWaiting(change(stay(state), { asks }, { do: 'unask', approvalId: open.approval.approval_id }));
}

/** How an item ended tells how somebody else answered the request about it. */
function settleAsksOf(before: Step, turnId: string, item: Item): Step {
  let step = before;
  for (const [key, open] of Object.entries(before.state.asks)) {
    if (open.approval.item_id !== item.id || open.approval.turn_id !== turnId) continue;
    const isDeclined = 'status' in item && item.status === 'declined';
    const status = open.isAnsweredElsewhere ? (isDeclined ? 'declined' : 'accepted') : 'expired';
    step = endAsk(step, key, { status, decision: null, event: 'item/completed' });
  }
  return showWaiting(step);
}

function showWaiting(step: Step): Step {
  const open = Object.values(step.state.asks).find((one) => !one.isAnsweredElsewhere);
  if (open !== undefined) return setActivity(step, { state: 'waiting', text: open.approval.title });
  if (step.state.activity.state !== 'waiting') return step;
  return setActivity(step, {
    state: step.state.turn === null ? 'idle' : 'running',
    text: step.state.turn === null ? '' : 'Working',
  });
}

function adoptChild(step: Step, threadId: string): Step {
  if (step.state.children.includes(threadId)) return step;
  return change(step, { children: [...step.state.children, threadId] }, { do: 'adopt', threadId });
}

function loseCodex(state: ThreadState, reason: string, at: number): Step {
  const outcome = {
    status: 'failed',
    failure: { message: reason, code: 'codex_stopped' },
    durationMs: null,
    event: 'codex.gone',
    isProcessGone: true,
  } as const;
  let step = state.turn === null ? stay(state) : finishTurn(stay(state), state.turn.id, outcome, at);
  step = closeOrphans(step, () => true);
  for (const key of Object.keys({ ...step.state.asks, ...step.state.remembered })) {
    step = endAsk(step, key, { status: 'expired', decision: null, event: 'codex.gone' });
  }
  return showWaiting(change(step, { sent: [] }));
}
