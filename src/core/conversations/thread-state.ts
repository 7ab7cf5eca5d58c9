/** What `route` remembers of a conversation between two signals, and what it may ask for. */
import type { PendingApproval } from '../../contract/approval.ts';
import type { NewEntry, PlanStep, TokenCounts } from '../../contract/entry.ts';
import type { ConversationId, RpcId } from '../../contract/ids.ts';
import type { Activity, LiveEvent, LiveItem } from '../../contract/ui-event.ts';
import type { FileChange } from '../codex/item.ts';
import type { TurnLifecycle } from './lifecycle.ts';
import { IDLE_ACTIVITY } from './live.ts';

interface RunningTurn {
  readonly id: string;
  /** A review runs inside a turn of its own that never ends by itself; its items belong here too. */
  readonly nested: readonly string[];
  /** Null when it began before our restart. */
  readonly startedAtMs: number | null;
  /** Errors already told, so that the turn's end does not repeat them. */
  readonly errors: readonly string[];
  /** The turn is a review: Codex records its own prompt as a message of the user. */
  readonly isReview: boolean;
}

export interface OpenItem {
  readonly turnId: string;
  readonly live: LiveItem;
  /** Which paragraph of a reasoning summary the last delta belonged to. */
  readonly part: number;
  readonly changes: readonly FileChange[];
  /** Set for a command that may outlive its turn. */
  readonly processId: string | null;
  /** The signal by which somebody here ends the command. */
  readonly endedBy?: 'SIGTERM' | 'SIGKILL';
  /** Of a sub-agent's turn: what it said last, which is its result. */
  readonly said?: string;
}

/** A request of Codex that waits, with what is needed to answer it and to record the answer. */
export interface OpenAsk {
  readonly epoch: string;
  readonly rpcId: RpcId;
  readonly method: string;
  readonly approval: PendingApproval;
  /** Somebody else answered; which way shows when the item ends. */
  readonly isAnsweredElsewhere: boolean;
}

/** Changes of one item that are on disk and that no diff has told of yet. */
interface UntoldChanges {
  readonly turnId: string;
  readonly itemId: string;
  readonly changes: readonly FileChange[];
}

export interface TurnPlan {
  readonly turnId: string;
  readonly steps: readonly PlanStep[];
  readonly text: string | null;
}

/** A message of ours that has an entry. */
interface SentMessage {
  readonly clientMessageId: string;
  readonly text: string;
  /** The turn in which Codex repeated it; null until then. */
  readonly echoedIn: string | null;
  /** False once it is settled that Codex did not get it; should Codex repeat it after all, it is still ours. */
  readonly isOnItsWay: boolean;
}

export interface ThreadState {
  readonly conversationId: ConversationId;
  /** The thread that was last heard of; null while Codex has none. */
  readonly threadId: string | null;
  readonly cwd: string;
  /** SHA-256 as hex: pure, but not ours to write. */
  readonly digest: (text: string) => string;
  readonly turn: RunningTurn | null;
  readonly activity: Activity;
  readonly open: Readonly<Record<string, OpenItem>>;
  readonly asks: Readonly<Record<string, OpenAsk>>;
  /** Asks from before our restart, until Codex repeats them or the turn ends. */
  readonly remembered: Readonly<Record<string, OpenAsk>>;
  readonly plan: TurnPlan | null;
  readonly usage: TokenCounts | null;
  /** The turn whose usage has not been recorded yet. */
  readonly usageTurnId: string | null;
  /** The newest turns with a diff in the transcript: only for those does an empty diff say something. */
  readonly diffTurns: readonly string[];
  /** Where the paths of Codex's own diffs begin, with a slash at the end; null until a diff and a change have shown it. */
  readonly diffRoot: string | null;
  readonly untold: readonly UntoldChanges[];
  /** turn/item keys of the newest entries: each thing is recorded once. */
  readonly recorded: readonly string[];
  readonly endedTurns: readonly string[];
  /** The newest messages of ours: Codex repeating one makes no second entry. */
  readonly sent: readonly SentMessage[];
  /** Threads of sub-agents: what they do and ask is shown here. */
  readonly children: readonly string[];
  /** What Codex calls them. */
  readonly childPaths: Readonly<Record<string, string>>;
}

type WithoutPlace<T> = T extends unknown ? Omit<T, 'conversation_id' | 'after'> : never;
/** A live event before the session says where and after which seq. */
type LiveDraft = WithoutPlace<LiveEvent>;

export interface RpcReply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export type Output =
  /** Stored, gets a seq, then published. */
  | { readonly do: 'append'; readonly entry: NewEntry }
  /** Shown, never stored. */
  | { readonly do: 'publish'; readonly event: LiveDraft }
  /** Somebody must answer. */
  | { readonly do: 'ask'; readonly ask: OpenAsk }
  /** Nobody can answer any more. */
  | { readonly do: 'unask'; readonly approvalId: string }
  | { readonly do: 'reply'; readonly rpcId: RpcId; readonly body: RpcReply }
  /** A thread whose signals belong to this conversation. */
  | { readonly do: 'claim'; readonly threadId: string }
  /** Emitted to subscribers once the entries before it are on disk. */
  | { readonly do: 'lifecycle'; readonly event: TurnLifecycle }
  /** Codex has a message of ours. */
  | { readonly do: 'echo'; readonly clientMessageId: string; readonly turnId: string; readonly itemId: string }
  /** What must survive a crash and is in no entry yet has changed. */
  | { readonly do: 'remember' }
  | { readonly do: 'note'; readonly level: 'debug' | 'warn'; readonly code: string; readonly data: unknown };

export interface Step {
  readonly state: ThreadState;
  readonly outputs: readonly Output[];
}

/** A command that runs and whose process Codex has not named: the safe guess is that it may outlive its turn. */
export const UNNAMED_PROCESS = 'unknown';

/** Keys kept to recognize repeats: more than any turn has items; Codex repeats at most its newest turns. */
const MAX_RECORDED = 5_000;
const MAX_ENDED_TURNS = 100;
/** Messages waiting for their echo, and threads of sub-agents: the oldest is forgotten first. */
export const MAX_FOLLOWED = 200;

export function emptyThread(
  conversationId: ConversationId,
  cwd: string,
  digest: (text: string) => string,
  threadId: string | null = null,
): ThreadState {
  return {
    conversationId,
    threadId,
    cwd,
    digest,
    turn: null,
    activity: IDLE_ACTIVITY,
    open: {},
    asks: {},
    remembered: {},
    plan: null,
    usage: null,
    usageTurnId: null,
    diffTurns: [],
    diffRoot: null,
    untold: [],
    recorded: [],
    endedTurns: [],
    sent: [],
    children: [],
    childPaths: {},
  };
}

export const stay = (state: ThreadState): Step => ({ state, outputs: [] });

export function change(step: Step, patch: Partial<ThreadState>, ...outputs: readonly Output[]): Step {
  return {
    state: { ...step.state, ...patch },
    outputs: outputs.length === 0 ? step.outputs : [...step.outputs, ...outputs],
  };
}

export function emit(step: Step, ...outputs: readonly Output[]): Step {
  return { state: step.state, outputs: [...step.outputs, ...outputs] };
}

export const itemKey = (turnId: string, itemId: string): string => `${turnId}/${itemId}`;

export function isRecorded(state: ThreadState, key: string): boolean {
  return state.recorded.includes(key);
}

/** Appends an entry that stands for `key`, unless one already does. */
export function record(step: Step, key: string, entry: NewEntry): Step {
  if (isRecorded(step.state, key)) return step;
  return emit(markRecorded(step, key), { do: 'append', entry });
}

/** What `key` stands for is told; by which entry is the caller's business. */
export function markRecorded(step: Step, key: string): Step {
  return change(step, { recorded: [...step.state.recorded.slice(1 - MAX_RECORDED), key] });
}

export function markEnded(state: ThreadState, turnIds: readonly string[]): readonly string[] {
  return [...state.endedTurns, ...turnIds].slice(-MAX_ENDED_TURNS);
}

export function setActivity(step: Step, patch: Partial<Activity>): Step {
  const activity = { ...step.state.activity, ...patch };
  const before = step.state.activity;
  const isSame =
    activity.state === before.state &&
    activity.text === before.text &&
    activity.turn_id === before.turn_id &&
    activity.lamp === before.lamp;
  return isSame ? step : change(step, { activity }, { do: 'publish', event: { type: 'activity', activity } });
}

export function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _gone, ...rest } = record;
  return rest;
}
