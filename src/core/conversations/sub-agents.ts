/** What the threads of sub-agents say, told in the conversation they work for: their requests, their turns as one item each, their results. */
import type { AgentRef, AgentStep, Entry, ItemEnd } from '../../contract/entry.ts';
import type { LiveItem } from '../../contract/ui-event.ts';
import type { AgentActivity, Item } from '../codex/item.ts';
import type { Signal, TurnEnd, TurnFailure } from '../codex/signal.ts';
import { cutMiddle, firstLine } from '../text/cut.ts';
import { closeAsks, openRequest, resolveRequest, settleAsksOf, showWaiting } from './asks.ts';
import { relativePath } from './diff-identity.ts';
import { activityOfItem, endedAgent, endOfItem, entryOfItem, openItemOf } from './items.ts';
import type { OpenItem, Step, ThreadState } from './thread-state.ts';
import { change, isRecorded, itemKey, MAX_FOLLOWED, record, stay, without } from './thread-state.ts';

type LiveRun = Extract<LiveItem, { role: 'tool' }> & { readonly agent: AgentRef };
type Run = OpenItem & { readonly live: LiveRun };

/** The item that stands for a turn of a sub-agent; Codex has none. */
const RUN_ITEM = 'sub-agent-turn';
/** What a card lists; each news of a sub-agent carries the list, so it is short. */
const MAX_STEPS = 30;
const MAX_STEP_CHARS = 200;

/** From now on the signals of this thread come to this conversation. */
export function claimChild(step: Step, { threadId, path }: AgentActivity): Step {
  const { children, childPaths } = step.state;
  const paths = path === '' || childPaths[threadId] === path ? childPaths : { ...childPaths, [threadId]: path };
  if (children.includes(threadId)) return paths === childPaths ? step : change(step, { childPaths: paths });
  const followed = [...children, threadId].slice(-MAX_FOLLOWED);
  const known = Object.entries(paths).filter(([id]) => followed.includes(id));
  return change(
    step,
    { children: followed, childPaths: Object.fromEntries(known) },
    { do: 'claim', threadId },
    { do: 'remember' },
  );
}

export function routeChild(state: ThreadState, threadId: string, signal: Signal, at: number): Step {
  switch (signal.type) {
    case 'request':
      return openRequest(stay(state), signal, at);
    case 'request.resolved':
      return resolveRequest(state, signal.rpcId);
    case 'turn.started':
      return beginRun(stay(state), threadId, signal.turnId, signal.startedAtMs ?? at);
    case 'item.started':
      return startChildItem(state, threadId, signal, at);
    case 'item.completed':
      return completeChildItem(state, threadId, signal, at);
    case 'turn.completed':
      return endRun(
        showWaiting(
          closeAsks(stay(state), [signal.turnId], { ...signal, event: 'turn/completed', isProcessGone: false }),
        ),
        threadId,
        signal,
        at,
      );
    default:
      return stay(state);
  }
}

type ItemSignal<T extends 'item.started' | 'item.completed'> = Extract<Signal, { type: T }>;

function startChildItem(
  state: ThreadState,
  threadId: string,
  { turnId, item }: ItemSignal<'item.started'>,
  at: number,
): Step {
  const before = beginRun(stay(state), threadId, turnId, at);
  const [key, open] = item.kind === 'file_change' ? openItemOf(state, turnId, item, at) : ['', null];
  // A request about a change shows what the item says of it.
  const step = open === null ? before : change(before, { open: { ...before.state.open, [key]: open } });
  return tellRun(step, turnId, (run) => ({
    ...run,
    live: {
      ...run.live,
      text: activityOfItem(item) ?? run.live.text,
      agent: withStep(run.live.agent, stepOf(item, state.cwd, 'running')),
    },
  }));
}

function completeChildItem(
  state: ThreadState,
  threadId: string,
  { turnId, item }: ItemSignal<'item.completed'>,
  at: number,
): Step {
  const key = itemKey(turnId, item.id);
  let step = settleAsksOf(change(stay(state), { open: without(state.open, key) }), turnId, item);
  if (item.kind === 'tool' && item.agent !== null) step = recordNested(step, threadId, turnId, item);
  step = beginRun(step, threadId, turnId, at);
  return tellRun(step, turnId, (run) => ({
    ...run,
    said: item.kind === 'assistant' && item.text.trim() !== '' ? item.text : (run.said ?? ''),
    live: { ...run.live, agent: withStep(run.live.agent, stepOf(item, state.cwd, endOfItem(item))) },
  }));
}

/** A sub-agent has a sub-agent of its own: its card and its requests belong to this conversation as well. */
function recordNested(before: Step, by: string, turnId: string, item: Extract<Item, { kind: 'tool' }>): Step {
  const entry = entryOfItem(item, { turnId, event: 'item/completed' });
  const step = item.agent === null ? before : claimChild(before, item.agent);
  if (entry?.role !== 'tool' || entry.agent === undefined) return step;
  return record(step, itemKey(turnId, item.id), { ...entry, agent: { ...entry.agent, by } });
}

function runAt(state: ThreadState, turnId: string): Run | null {
  const open = state.open[itemKey(turnId, RUN_ITEM)];
  return open !== undefined && isRun(open) ? open : null;
}

function isRun(open: OpenItem): open is Run {
  return open.live.role === 'tool' && open.live.agent !== undefined;
}

/** Also by its first item, where the start of the turn was told while nobody here listened. */
function beginRun(step: Step, threadId: string, turnId: string, startedAtMs: number): Step {
  const key = itemKey(turnId, RUN_ITEM);
  if (turnId === '' || step.state.open[key] !== undefined || isRecorded(step.state, key)) return step;
  const path = step.state.childPaths[threadId] ?? '';
  const live: LiveRun = {
    role: 'tool',
    name: path === '' ? 'sub-agent' : path,
    kind: 'sub_agent',
    input: '',
    agent: { thread_id: threadId, path, activity: 'turn', steps: [], step_count: 0 },
    item_id: RUN_ITEM,
    turn_id: turnId,
    started_at_ms: startedAtMs,
    text: '',
    text_start: 0,
  };
  const open: Run = { turnId, live, part: 0, changes: [], processId: null };
  return change(
    step,
    { open: { ...step.state.open, [key]: open } },
    { do: 'publish', event: { type: 'item', item: live } },
  );
}

function tellRun(step: Step, turnId: string, next: (run: Run) => Run): Step {
  const run = runAt(step.state, turnId);
  if (run === null) return step;
  const told = next(run);
  const open = { ...step.state.open, [itemKey(turnId, RUN_ITEM)]: told };
  const isSame = told.live.text === run.live.text && told.live.agent === run.live.agent;
  if (isSame) return change(step, { open });
  return change(step, { open }, { do: 'publish', event: { type: 'item', item: told.live } });
}

interface RunEnd {
  readonly turnId: string;
  readonly status: TurnEnd;
  readonly failure: TurnFailure | null;
  readonly durationMs: number | null;
}

function endRun(before: Step, threadId: string, { turnId, status, failure, durationMs }: RunEnd, at: number): Step {
  const step = beginRun(before, threadId, turnId, at);
  const run = runAt(step.state, turnId);
  if (run === null) return step;
  const key = itemKey(turnId, RUN_ITEM);
  const { text, omitted } = cutMiddle(run.said ?? '');
  const ended = change(step, { open: without(step.state.open, key) });
  return record(ended, key, {
    role: 'tool',
    kind: 'sub_agent',
    name: run.live.name,
    ...(text !== '' && { output: text }),
    ...(omitted > 0 && { output_omitted: omitted }),
    ...(failure !== null && { error: failure.message }),
    status,
    duration_ms: durationMs ?? at - run.live.started_at_ms,
    agent: endedAgent(run.live.agent),
    turn_id: turnId,
    item_id: RUN_ITEM,
    event: 'turn/completed',
  });
}

function withStep(agent: AgentRef, step: AgentStep | null): AgentRef {
  if (step === null) return agent;
  const { steps = [], step_count: count = 0 } = agent;
  const isKnown = steps.some((one) => one.item_id === step.item_id);
  const next = isKnown ? steps.map((one) => (one.item_id === step.item_id ? step : one)) : [...steps, step];
  return { ...agent, steps: next.slice(-MAX_STEPS), step_count: count + Number(!isKnown) };
}

/** Null for what is no act: words, thoughts, plans. */
function stepOf(item: Item, cwd: string, state: 'running' | ItemEnd): AgentStep | null {
  const brief = (text: string) => firstLine(text, MAX_STEP_CHARS);
  switch (item.kind) {
    case 'command': {
      const exit = item.exitCode === null ? {} : { exit_code: item.exitCode };
      return { item_id: item.id, kind: 'command', text: brief(item.command), state, ...exit };
    }
    case 'file_change': {
      const paths = item.changes.map((one) => relativePath(one.movedTo ?? one.path, cwd));
      return { item_id: item.id, kind: 'change', text: brief(paths.join(', ')), state };
    }
    case 'tool':
      return { item_id: item.id, kind: 'tool', text: brief(item.name), state };
    case 'user':
    case 'assistant':
    case 'reasoning':
    case 'plan':
    case 'note':
      return null;
    default:
      return item satisfies never;
  }
}

/** An entry that a sub-agent left: its turn is no turn of the conversation. */
export function isOfChild(entry: Entry): boolean {
  if (entry.role !== 'tool' || entry.agent === undefined) return false;
  return entry.agent.activity === 'turn' || entry.agent.by !== undefined;
}
