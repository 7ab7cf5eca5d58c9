/**
 * What is going on in a conversation now and is not in its transcript: items being made, open approvals, the ribbon.
 * The hub folds it so that a client that joins sees it; clients fold the same events to stay level.
 */
import type { PendingApproval } from '../../contract/approval.ts';
import type { Entry, TokenCounts } from '../../contract/entry.ts';
import type { RunningCommand } from '../../contract/running.ts';
import type { Activity, LiveEvent, LiveItem, ServerFrame, ThreadHolder, UiEvent } from '../../contract/ui-event.ts';

export interface LiveState {
  /** In the order they began. */
  readonly items: readonly LiveItem[];
  readonly approvals: readonly PendingApproval[];
  readonly activity: Activity;
  readonly usage: TokenCounts | null;
  /** What runs outside a turn, or is being ended. */
  readonly running: readonly RunningCommand[];
  /** The other process that has the thread open. */
  readonly holder: ThreadHolder | null;
}

export const IDLE_ACTIVITY: Activity = { state: 'idle', text: '', turn_id: null, lamp: 'off' };
export const EMPTY_LIVE: LiveState = {
  items: [],
  approvals: [],
  activity: IDLE_ACTIVITY,
  usage: null,
  running: [],
  holder: null,
};

/** Text a live item keeps; more would make every late joiner pay for output nobody scrolls back to before it is final. */
export const MAX_LIVE_TEXT = 256 * 1024;

const ROLE_OF_DELTA = {
  assistant_delta: 'assistant',
  reasoning_delta: 'reasoning',
  command_delta: 'command',
  plan_delta: 'plan',
} as const;

export type DeltaEvent = Extract<LiveEvent, { delta: string }>;

/** Whether the frame is a piece of growing text, of a plan as well. */
export function isDelta(frame: ServerFrame): frame is DeltaEvent {
  return Object.hasOwn(ROLE_OF_DELTA, frame.type);
}

export function reduceLive(live: LiveState, event: UiEvent): LiveState {
  if ('seq' in event) return reduceDurable(live, event);
  switch (event.type) {
    case 'assistant_delta':
    case 'reasoning_delta':
    case 'command_delta':
    case 'plan_delta':
      return applyDelta(live, event);
    case 'item':
      return { ...live, items: replaceItem(live.items, event.item) };
    case 'discard':
      return { ...live, items: live.items.filter((item) => !isItem(item, event)) };
    case 'activity':
      return { ...live, activity: event.activity };
    case 'approval': {
      const others = live.approvals.filter((one) => one.approval_id !== event.approval.approval_id);
      return { ...live, approvals: [...others, event.approval] };
    }
    case 'usage':
      return { ...live, usage: event.usage };
    case 'holder':
      return { ...live, holder: event.holder };
    case 'running':
      return { ...live, running: event.running };
    // News for whoever shows the command; the terminal itself knows how far it is.
    case 'block_output':
    // The page reads checkpoints and the status of the repository by HTTP.
    case 'changes':
      return live;
    default:
      return event satisfies never;
  }
}

function reduceDurable(live: LiveState, event: Extract<UiEvent, { seq: number }>): LiveState {
  const entry = event.entry;
  switch (entry.role) {
    case 'approval':
      return { ...live, approvals: live.approvals.filter((one) => one.approval_id !== entry.approval_id) };
    case 'token_usage':
      return { ...live, usage: countsOf(entry) };
    // So that a client that heard only what is stored shows the same.
    case 'status': {
      const { turn_id } = live.activity;
      if (turn_id !== null && turn_id !== entry.turn_id) return live;
      return { ...live, activity: { ...IDLE_ACTIVITY, lamp: entry.status } };
    }
    case 'shell_output': {
      const lamp = lampOfEntry(entry);
      const isIdle = live.activity.turn_id === null;
      const lit = lamp === null || !isIdle ? live : { ...live, activity: { ...live.activity, lamp } };
      return withoutItemOf(lit, entry);
    }
    default:
      return withoutItemOf(live, entry);
  }
}

function withoutItemOf(live: LiveState, entry: Entry): LiveState {
  const { item_id, turn_id } = entry;
  if (item_id === undefined || turn_id === undefined || entry.role === 'shell_input') return live;
  return { ...live, items: live.items.filter((item) => !isItem(item, { item_id, turn_id })) };
}

/** What the shell reports of a command that Ctrl-C ended. */
const INTERRUPTED = 130;

/** The lamp after an entry: a turn that ended, or a command of the person in the terminal. Null if the entry leaves the lamp alone. */
export function lampOfEntry(entry: Entry): Activity['lamp'] | null {
  if (entry.role === 'status') return entry.status;
  if (entry.role !== 'shell_output' || entry.actor === 'agent') return null;
  if (entry.exit_code === 0) return 'success';
  return entry.exit_code === null || entry.exit_code === INTERRUPTED ? 'warning' : 'error';
}
export function countsOf(entry: TokenCounts): TokenCounts {
  return {
    total_tokens: entry.total_tokens,
    input_tokens: entry.input_tokens,
    cached_input_tokens: entry.cached_input_tokens,
    output_tokens: entry.output_tokens,
    reasoning_output_tokens: entry.reasoning_output_tokens,
    cumulative_tokens: entry.cumulative_tokens,
    context_window: entry.context_window,
  };
}

function isItem(item: LiveItem, key: { readonly item_id: string; readonly turn_id: string }): boolean {
  return item.item_id === key.item_id && item.turn_id === key.turn_id;
}

function replaceItem(items: readonly LiveItem[], item: LiveItem): readonly LiveItem[] {
  const at = items.findIndex((one) => isItem(one, item));
  return at < 0 ? [...items, item] : items.with(at, item);
}

/** A delta that starts before the text's end is a repeat in part; one that starts after it leaves a hole, which is counted as dropped. */
function applyDelta(live: LiveState, event: DeltaEvent): LiveState {
  const item = live.items.find((one) => isItem(one, event));
  if (item === undefined) return { ...live, items: [...live.items, itemFromDelta(event)] };
  const end = item.text_start + item.text.length;
  const fresh = event.delta.slice(Math.max(0, end - event.offset));
  if (fresh === '') return live;
  const hole = Math.max(0, event.offset - end);
  const level = hole === 0 ? item : { ...item, text_start: item.text_start + hole };
  return { ...live, items: replaceItem(live.items, appendText(level, fresh)) };
}

export function appendText(item: LiveItem, text: string): LiveItem {
  const whole = item.text + text;
  const cut = whole.length <= MAX_LIVE_TEXT ? 0 : whole.length - MAX_LIVE_TEXT / 2;
  return { ...item, text: cut === 0 ? whole : whole.slice(cut), text_start: item.text_start + cut };
}

/** A client that came late, or a Codex that never announced the item: make do with what the delta says. */
function itemFromDelta(event: DeltaEvent): LiveItem {
  const common = {
    item_id: event.item_id,
    turn_id: event.turn_id,
    started_at_ms: 0,
    text: event.delta,
    text_start: event.offset,
  };
  const role = ROLE_OF_DELTA[event.type];
  switch (role) {
    case 'assistant':
    case 'reasoning':
      return { role, ...common };
    case 'plan':
      return { role, steps: [], ...common };
    case 'command':
      return { role, command: '', cwd: '', user_shell: false, ...common };
    default:
      return role satisfies never;
  }
}
