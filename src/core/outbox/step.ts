/** The outbox of one conversation: decides what goes to Codex, when, and what became of it. Performs nothing. Total: no input makes it throw. */
import { pauseQueue, queueNotStored, queueStored, rewriteQueue, submit } from './admit.ts';
import { advance } from './advance.ts';
import {
  accepted,
  echoed,
  entryNotStored,
  entryStored,
  loaded,
  notGiven,
  notPrepared,
  prepared,
  refused,
} from './deliver.ts';
import { arrive, demoteAutoTurns, gather, switchEvents, unblock } from './events.ts';
import {
  codexGone,
  codexReady,
  doubtUnechoed,
  foundInHistory,
  historyUnavailable,
  injectionsRecovered,
  lookAgain,
  recovered,
} from './recover.ts';
import { sendNow } from './send-now.ts';
import {
  change,
  type OutboxInput,
  type OutboxState,
  type Pending,
  release,
  type Step,
  setThread,
  stay,
  type ThreadFacts,
} from './state.ts';

export function step(state: OutboxState, input: OutboxInput): Step {
  switch (input.type) {
    case 'submitted':
      return submit(state, input);
    case 'queue_stored':
      return queueStored(state, input.id);
    case 'queue_not_stored':
      return queueNotStored(state, input.id, input.failure);
    case 'queue_rewritten':
      return rewriteQueue(state, input.ids);
    case 'queue_resumed':
      return advance(pauseQueue(stay(state), false));
    case 'send_now_requested':
      return sendNow(state, input.id);
    case 'interrupt_requested':
      return advance(change(stay(state), { interrupts: [...state.interrupts, input.id] }));
    case 'interrupted':
      return interrupted(state, input.outcome);
    case 'loaded':
      return loaded(state, input.id);
    case 'prepared':
      return prepared(state, input.id, input.hasEvents);
    case 'not_prepared':
      return notPrepared(state, input.id, input.failure);
    case 'entry_stored':
      return entryStored(state, input.id);
    case 'entry_not_stored':
      return entryNotStored(state, input.id, input.failure);
    case 'accepted':
      return accepted(state, input.id, input.turnId);
    case 'refused':
      return refused(state, input.id, input.failure, input.isCertain);
    case 'not_given':
      return notGiven(state, input.id);
    case 'echoed':
      return echoed(state, input);
    case 'turn_started':
      return advance(setThread(stay(state), { turnId: input.turnId }));
    case 'turn_ended':
      return endTurn(state, input);
    case 'thread_changed':
      return changeThread(state, input.facts);
    case 'thread_replaced':
      return replaceThread(state);
    case 'codex_gone':
      return codexGone(state);
    case 'codex_ready':
      return codexReady(state, input.isAdopted);
    case 'found_in_history':
      return foundInHistory(state, input);
    case 'history_unavailable':
      return historyUnavailable(state, input.asked, input.isCodexRunning);
    case 'events_arrived':
      return advance(arrive(stay(state), input.batches, input));
    case 'injections_recovered':
      return injectionsRecovered(state, input.injections);
    case 'timer':
      return input.name === 'gather' ? advance(change(stay(state), { isGathering: false })) : lookAgain(state);
    case 'recovered':
      return recovered(state, input);
    default:
      return input satisfies never;
  }
}

function interrupted(state: OutboxState, outcome: Extract<OutboxInput, { type: 'interrupted' }>['outcome']): Step {
  if (state.busy?.kind !== 'interrupt') return stay(state);
  const ids = state.interrupts;
  return advance(change(release(stay(state)), { interrupts: [] }, { do: 'answer_interrupt', ids, outcome }));
}

function endTurn(state: OutboxState, { turnId, status }: Extract<OutboxInput, { type: 'turn_ended' }>): Step {
  const isRunning = state.thread.turnId === turnId;
  let step = isRunning ? change(setThread(stay(state), { turnId: null }), { runningHops: 0 }) : stay(state);
  step = change(unblock(doubtUnechoed(step, turnId)), { isHistoryOut: false });
  // Whoever pressed stop does not want the next message or turn to start by itself.
  if (status === 'interrupted') {
    if (step.state.queue.length > 0) step = pauseQueue(step, true);
    step = demoteAutoTurns(step, 'stopped');
  }
  return advance(gather(step));
}

/** The ledger of the new thread counts anew. */
function replaceThread(state: OutboxState): Step {
  const pending = state.pending.flatMap((one): Pending[] => (one.kind === 'message' ? [{ ...one, carried: [] }] : []));
  return change(stay(state), { events: [], told: [], pending });
}

function changeThread(state: OutboxState, facts: Partial<ThreadFacts>): Step {
  let step = setThread(stay(state), facts);
  const { areEventsOn, isLoaded } = step.state.thread;
  if (areEventsOn !== state.thread.areEventsOn) step = switchEvents(step, areEventsOn);
  if (isLoaded && !state.thread.isLoaded) step = unblock(step);
  return advance(step);
}
