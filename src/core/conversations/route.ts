/** The decider: what becomes of each signal. Decides; performs nothing. Total: no signal makes it throw. */
import type { Activity, LiveItem } from '../../contract/ui-event.ts';
import type { Item } from '../codex/item.ts';
import type { OwnSignal, Signal } from '../codex/signal.ts';
import { firstLine } from '../text/cut.ts';
import { endAsk, openRequest, resolveRequest, settleAsksOf, settleRunning, showWaiting } from './asks.ts';
import { diffOfChanges } from './diff-identity.ts';
import { activityOfItem, entryOfItem, openItemOf, stoppedCommand, userEntry } from './items.ts';
import { appendText } from './live.ts';
import { updateChanges } from './open-changes.ts';
import { reconcile } from './reconcile.ts';
import { claimChild, routeChild } from './sub-agents.ts';
import type { OpenItem, Step, ThreadState } from './thread-state.ts';
import {
  change,
  emit,
  isRecorded,
  itemKey,
  MAX_FOLLOWED,
  markRecorded,
  record,
  setActivity,
  stay,
  UNNAMED_PROCESS,
  without,
} from './thread-state.ts';
import { beginTurn, closeOrphans, finishTurn, planItemId, recordDiff } from './turn.ts';
import { updateDiff } from './update-diff.ts';

export function route(before: ThreadState, signal: Signal | OwnSignal, at: number): Step {
  if ('threadId' in signal && signal.threadId !== null && before.children.includes(signal.threadId))
    return routeChild(before, signal.threadId, signal, at);
  const state = noteThread(before, signal);
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
      return updateChanges(state, signal);
    case 'item.progress':
      return signal.text.trim() === '' ? stay(state) : tellProgress(stay(state), { text: signal.text.trim() });
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
    case 'request': {
      const isAsk = signal.auto === null && signal.turnId !== null;
      return openRequest(isAsk ? beginTurn(stay(state), signal.turnId, at) : stay(state), signal, at);
    }
    case 'request.resolved':
      return resolveRequest(state, signal.rpcId);
    case 'message.stored': {
      const { clientMessageId, text } = signal;
      return change(stay(state), {
        sent: [...state.sent, { clientMessageId, text, echoedIn: null, isOnItsWay: true }].slice(-MAX_FOLLOWED),
      });
    }
    case 'message.delivered': {
      const { clientMessageId, deliveredIn } = signal;
      const isOpen = (one: ThreadState['sent'][number]) =>
        one.clientMessageId === clientMessageId && one.echoedIn === null;
      if (!state.sent.some(isOpen)) return stay(state);
      const sent = state.sent.map((one) =>
        isOpen(one) ? { ...one, echoedIn: deliveredIn ?? '', isOnItsWay: false } : one,
      );
      return change(stay(state), { sent }, { do: 'remember' });
    }
    case 'message.undelivered': {
      const sent = state.sent.map((one) =>
        one.clientMessageId === signal.clientMessageId ? { ...one, isOnItsWay: false } : one,
      );
      return change(stay(state), { sent }, { do: 'remember' });
    }
    case 'approval.answered': {
      const found = Object.entries(state.asks).find(([, open]) => open.approval.approval_id === signal.approvalId);
      if (found === undefined) return stay(state);
      const { status, decision, answers } = signal;
      return showWaiting(endAsk(stay(state), found[0], { status, decision, answers, event: 'answered' }));
    }
    case 'commands.ending':
      return endCommands(state, signal.itemIds, signal.by);
    case 'turns.found':
      return reconcile(state, signal.turns, at, { startItem, completeItem });
    case 'codex.gone':
      return loseCodex(state, signal.reason, at);
    case 'thread.status':
      return signal.status === 'active' ? settleRunning(state) : stay(state);
    case 'thread.started':
    case 'thread.settings':
    case 'thread.gone':
    case 'limits.updated':
    case 'login.completed':
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

/** A draft learns its thread by the first turn; a recovered conversation gets another one. */
function noteThread(state: ThreadState, signal: Signal | OwnSignal): ThreadState {
  if (!('turnId' in signal) || !('threadId' in signal) || signal.threadId === null) return state;
  return signal.threadId === state.threadId ? state : { ...state, threadId: signal.threadId };
}

/** What goes on in a turn; once it is over the ribbon says how it ended, whatever still trickles in. */
function tellProgress(step: Step, patch: Partial<Activity>): Step {
  return step.state.turn === null ? step : setActivity(step, patch);
}

function startItem(before: Step, turnId: string, item: Item, at: number): Step {
  const key = itemKey(turnId, item.id);
  if (isRecorded(before.state, key) || before.state.open[key] !== undefined) return before;
  let step = noteReview(beginTurn(before, turnId, at), item);
  if (item.kind === 'user') return recordUser(step, turnId, item);
  if (item.kind === 'command' && item.isUserShell) {
    const origin = { turn_id: turnId, item_id: item.id, event: 'item/started' };
    step = record(step, `${key}#input`, { role: 'shell_input', command: item.command, cwd: item.cwd, ...origin });
  }
  if (item.kind === 'tool' && item.agent !== null) step = claimChild(step, item.agent);
  const [, open] = openItemOf(step.state, turnId, item, at);
  if (open !== null) {
    step = change(
      step,
      { open: { ...step.state.open, [key]: open } },
      { do: 'publish', event: { type: 'item', item: open.live } },
    );
  }
  const text = activityOfItem(item);
  return text === null ? step : tellProgress(step, { text });
}

function completeItem(before: Step, turnId: string, item: Item, at: number): Step {
  const key = itemKey(turnId, item.id);
  if (isRecorded(before.state, key)) return before;
  let step = noteReview(beginTurn(before, turnId, at), item);
  if (item.kind === 'user') return recordUser(step, turnId, item);
  if (item.kind === 'command' && item.isUserShell && !isRecorded(step.state, `${key}#input`)) {
    step = startItem(step, turnId, item, at);
  }
  const endedBy = step.state.open[key]?.endedBy;
  step = change(step, { open: without(step.state.open, key) });
  step = settleAsksOf(step, turnId, item);
  if (item.kind === 'file_change') return completeFileChange(step, turnId, item);
  if (item.kind === 'tool' && item.agent !== null) step = claimChild(step, item.agent);
  const entry = entryOfItem(item, { turnId, event: 'item/completed' });
  if (entry === null)
    return emit(step, { do: 'publish', event: { type: 'discard', item_id: item.id, turn_id: turnId } });
  step = record(step, key, endedBy !== undefined && entry.role === 'command' ? stoppedCommand(entry, endedBy) : entry);
  return item.kind === 'command'
    ? tellProgress(step, { lamp: item.status === 'completed' ? 'success' : 'error' })
    : step;
}

function noteReview(step: Step, item: Item): Step {
  const { turn } = step.state;
  if (turn === null || item.kind !== 'note' || item.note !== 'review_started') return step;
  return change(step, { turn: { ...turn, isReview: true } });
}

function endCommands(state: ThreadState, itemIds: readonly string[], endedBy: 'SIGTERM' | 'SIGKILL'): Step {
  const ended = Object.entries(state.open)
    .filter(([, { live }]) => live.role === 'command' && itemIds.includes(live.item_id))
    .map(([key, open]) => [key, { ...open, endedBy }]);
  return change(stay(state), { open: { ...state.open, ...Object.fromEntries(ended) } });
}

const isSpeechOf =
  (turnId: string) =>
  (open: OpenItem): boolean =>
    open.turnId === turnId && (open.live.role === 'assistant' || open.live.role === 'reasoning');

/** The echo of a message. It also ends whatever the model was saying: a steer cuts the stream without a word. */
function recordUser(before: Step, turnId: string, item: Extract<Item, { kind: 'user' }>): Step {
  const key = itemKey(turnId, item.id);
  if (isRecorded(before.state, key)) return before;
  const step = closeOrphans(before, isSpeechOf(turnId));
  const own = ownMessage(step.state, turnId, item);
  // Codex takes no message into a review, so this one is the prompt of the review itself; the note at its start says what is reviewed.
  if (own === undefined && item.clientId === null && step.state.turn?.isReview) return markRecorded(step, key);
  if (own === undefined) {
    const entry = userEntry(item, { turnId, event: 'item/completed' });
    return entry === null ? step : record(step, key, entry);
  }
  const { clientMessageId } = own;
  const sent = step.state.sent.map((one) => (one === own ? { ...one, echoedIn: turnId, isOnItsWay: false } : one));
  const noted = markRecorded(change(step, { sent }), key);
  return own.echoedIn === null
    ? emit(noted, { do: 'echo', clientMessageId, turnId, itemId: item.id }, { do: 'remember' })
    : noted;
}

/** An old Codex does not repeat our id, and after a restart of its own it gives the same message another item id. */
function ownMessage({ sent }: ThreadState, turnId: string, { clientId, text }: Extract<Item, { kind: 'user' }>) {
  if (clientId !== null) return sent.find((one) => one.clientMessageId === clientId);
  const isSame = (one: ThreadState['sent'][number]) => one.text === text;
  return (
    sent.find((one) => isSame(one) && one.echoedIn === null) ??
    sent.find((one) => isSame(one) && one.echoedIn === turnId)
  );
}

/** Applied changes are told by the turn's diff; those that were refused or failed are told here, since nothing else will. */
function completeFileChange(step: Step, turnId: string, item: Extract<Item, { kind: 'file_change' }>): Step {
  const discard = { do: 'publish', event: { type: 'discard', item_id: item.id, turn_id: turnId } } as const;
  const isRefused = item.status === 'declined' || item.status === 'failed';
  if (isRefused || step.state.endedTurns.includes(turnId)) {
    const status = isRefused ? item.status : 'applied';
    const origin = { status, event: 'item/completed', itemIds: [item.id] } as const;
    return emit(recordDiff(step, turnId, diffOfChanges(item.changes, step.state.cwd), origin), discard);
  }
  const untold = [...step.state.untold, { turnId, itemId: item.id, changes: item.changes }];
  return change(step, { untold }, discard);
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

/** Only its output is known. */
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
  processId: UNNAMED_PROCESS,
  isUserShell: false,
};

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

const MAX_RIBBON_CHARS = 120;

/** A retry that Codex announces is only a status; a final error is an entry, once. */
function routeError(state: ThreadState, signal: Extract<Signal, { type: 'error' }>): Step {
  const { failure, turnId, willRetry } = signal;
  // What was half said is said again from the start, as another item.
  if (willRetry)
    return tellProgress(closeOrphans(stay(state), isSpeechOf(turnId)), {
      text: firstLine(failure.message, MAX_RIBBON_CHARS),
      lamp: 'warning',
    });
  const { turn } = state;
  if (turn?.errors.includes(failure.message)) return stay(state);
  const noted =
    turn === null ? stay(state) : change(stay(state), { turn: { ...turn, errors: [...turn.errors, failure.message] } });
  const code = failure.code === null ? {} : { code: failure.code };
  const entry = { role: 'error', text: failure.message, ...code, turn_id: turnId, event: 'error' } as const;
  return tellProgress(emit(noted, { do: 'append', entry }), { lamp: 'error' });
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
  return showWaiting(step);
}
