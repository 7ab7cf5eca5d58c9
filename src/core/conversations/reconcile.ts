/** Bringing a conversation level with what Codex did while nobody here was listening, and with what the disk says we knew. */
import type { Entry } from '../../contract/entry.ts';
import type { Activity } from '../../contract/ui-event.ts';
import type { Item } from '../codex/item.ts';
import type { TurnRecord } from '../codex/signal.ts';
import { countsOf, lampOfEntry } from './live.ts';
import { isOfChild } from './sub-agents.ts';
import type { OpenAsk, Step, ThreadState, TurnPlan } from './thread-state.ts';
import { emit, itemKey, MAX_FOLLOWED, stay } from './thread-state.ts';
import { beginTurn, finishTurn } from './turn.ts';

/** What a crash must not lose and no entry holds yet: written beside the transcript whenever it changes. */
export interface TurnMemory {
  readonly turn_id: string | null;
  readonly asks: readonly OpenAsk[];
  readonly plan: TurnPlan | null;
  readonly children?: readonly string[] | undefined;
  /** Messages on their way to Codex. */
  readonly outgoing?: readonly string[] | undefined;
}

export function memoryOf(state: ThreadState): TurnMemory {
  const asks = [...Object.values(state.remembered), ...Object.values(state.asks)];
  const outgoing = state.sent.filter((one) => one.isOnItsWay).map((one) => one.clientMessageId);
  return { turn_id: state.turn?.id ?? null, asks, plan: state.plan, children: state.children, outgoing };
}

/** The state as it was, from the newest entries and the memory beside them. */
export function restore(empty: ThreadState, entries: readonly Entry[], memory: TurnMemory | null): ThreadState {
  const recorded: string[] = [];
  const endedTurns: string[] = [];
  const diffTurns: string[] = [];
  const errors: { turnId: string; text: string }[] = [];
  const reviews: string[] = [];
  const childPaths: Record<string, string> = {};
  let usage = empty.usage;
  let lamp = empty.activity.lamp;
  let lastTurn: string | null = null;
  const sent = new Map<string, ThreadState['sent'][number]>();
  for (const entry of entries) {
    const { turn_id, item_id } = entry;
    // A request may be a sub-agent's, in a turn of its own.
    // A message that was not delivered may name a turn that never was.
    const isOfTurn = entry.role !== 'approval' && (entry.role !== 'delivery' || entry.state === 'delivered');
    if (entry.role === 'tool' && entry.agent !== undefined && entry.agent.path !== '')
      childPaths[entry.agent.thread_id] = entry.agent.path;
    if (isOfTurn && !isOfChild(entry)) lastTurn = turn_id ?? lastTurn;
    if (turn_id !== undefined && item_id !== undefined && isOfTurn) {
      recorded.push(entry.role === 'shell_input' ? `${itemKey(turn_id, item_id)}#input` : itemKey(turn_id, item_id));
    }
    if (entry.role === 'user' && entry.client_message_id !== undefined) {
      const { client_message_id: clientMessageId, text } = entry;
      const isOnItsWay = entry.state === 'sent';
      sent.set(clientMessageId, { clientMessageId, text, echoedIn: turn_id ?? null, isOnItsWay });
    }
    if (entry.role === 'delivery') {
      const own = sent.get(entry.client_message_id);
      const isOnItsWay = entry.state === 'sent';
      const echoedIn = entry.state === 'delivered' ? (turn_id ?? '') : null;
      if (own !== undefined) sent.set(own.clientMessageId, { ...own, echoedIn, isOnItsWay });
    }
    if (entry.role === 'approval') recorded.push(`approval:${entry.approval_id}`);
    if (entry.role === 'diff' && turn_id !== undefined) {
      recorded.push(itemKey(turn_id, `diff:${entry.diff_id.slice(entry.diff_id.lastIndexOf(':') + 1)}`));
      if (entry.status === 'applied') diffTurns.push(turn_id);
    }
    if (entry.role === 'error' && turn_id !== undefined) errors.push({ turnId: turn_id, text: entry.text });
    if (entry.role === 'token_usage' && turn_id !== undefined) recorded.push(itemKey(turn_id, 'usage'));
    if (entry.role === 'token_usage') usage = countsOf(entry);
    if (entry.role === 'note' && entry.kind === 'review_started' && turn_id !== undefined) reviews.push(turn_id);
    if (entry.role === 'status') {
      if (turn_id !== undefined) endedTurns.push(turn_id);
      lamp = entry.status;
    }
  }
  const openTurn = memory?.turn_id ?? lastTurn;
  const isOpen = openTurn !== null && !endedTurns.includes(openTurn);
  const toldIn = (turnId: string) => errors.filter((one) => one.turnId === turnId).map((one) => one.text);
  const asks = (memory?.asks ?? []).filter((one) => !recorded.includes(`approval:${one.approval.approval_id}`));
  return {
    ...empty,
    recorded,
    endedTurns,
    diffTurns,
    usage,
    sent: [...sent.values()].slice(-MAX_FOLLOWED),
    turn: isOpen
      ? { id: openTurn, nested: [], startedAtMs: null, errors: toldIn(openTurn), isReview: reviews.includes(openTurn) }
      : null,
    plan: isOpen ? (memory?.plan ?? null) : null,
    children: memory?.children ?? [],
    childPaths,
    remembered: Object.fromEntries(asks.map((one) => [`${one.epoch}:${JSON.stringify(one.rpcId)}`, one])),
    activity: isOpen ? { state: 'running', text: 'Working', turn_id: openTurn, lamp } : { ...empty.activity, lamp },
  };
}

/**
 * The lamp to show after a restart. The state keeps the lamp of the last turn, by which lists call a conversation failed; a command that
 * the person ran since then counts for the lamp alone.
 */
export function lampAfter(entries: readonly Entry[], lamp: Activity['lamp']): Activity['lamp'] {
  return entries.reduce<Activity['lamp']>((shown, entry) => lampOfEntry(entry) ?? shown, lamp);
}

interface ItemRules {
  readonly startItem: (step: Step, turnId: string, item: Item, at: number) => Step;
  readonly completeItem: (step: Step, turnId: string, item: Item, at: number) => Step;
}

export function reconcile(state: ThreadState, turns: readonly TurnRecord[], at: number, rules: ItemRules): Step {
  const { turn } = state;
  const known = turns.findIndex((one) => one.turnId === turn?.id);
  // A turn Codex's history does not know never got far enough to be kept.
  let step = turn !== null && known < 0 ? finishLost(stay(state), turn.id, at) : stay(state);
  // What came before the turn we were in is here already, or in the pages from before Signalbox.
  for (const record of turns.slice(Math.max(known, 0))) {
    if (step.state.endedTurns.includes(record.turnId)) continue;
    step = beginTurn(step, record.turnId, record.startedAtMs ?? at);
    for (const item of record.items) {
      // Over with its turn, unless it is a command that goes on in the background.
      const isOver = !('status' in item) || item.status !== 'in_progress';
      step = isOver
        ? rules.completeItem(step, record.turnId, item, at)
        : rules.startItem(step, record.turnId, item, at);
    }
    if (record.status === 'running') continue;
    const outcome = { ...record, status: record.status, event: 'turns.found', isProcessGone: false };
    step = finishTurn(step, record.turnId, outcome, at);
  }
  return emit(step, { do: 'remember' });
}

function finishLost(step: Step, turnId: string, at: number): Step {
  const outcome = {
    status: 'interrupted',
    failure: null,
    durationMs: null,
    event: 'turns.found',
    isProcessGone: true,
  } as const;
  return finishTurn(step, turnId, outcome, at);
}
