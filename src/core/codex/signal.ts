/** Our vocabulary for what Codex tells us: what `normalize` produces and `route` decides on. */
import type { Ask } from '../../contract/approval.ts';
import type { PlanStep, TokenCounts } from '../../contract/entry.ts';
import type { RpcId } from '../../contract/ids.ts';
import type { FileChange, Item } from './item.ts';

interface OfTurn {
  readonly threadId: string;
  readonly turnId: string;
}

/** What a person answered to questions of Codex, by the id of the question; without secrets, since it is written to the transcript. */
export type RecordedAnswers = Readonly<Record<string, readonly string[]>>;

export type TurnEnd = 'completed' | 'failed' | 'interrupted';

export interface TurnFailure {
  readonly message: string;
  readonly code: string | null;
}

/** A turn as Codex's history has it. `running`: it goes on. */
export interface TurnRecord {
  readonly turnId: string;
  readonly status: TurnEnd | 'running';
  readonly items: readonly Item[];
  readonly failure: TurnFailure | null;
  readonly durationMs: number | null;
  readonly startedAtMs: number | null;
}

/** A thread as Codex's list of threads has it. Times are ISO 8601. */
export interface ThreadRecord {
  readonly threadId: string;
  readonly name: string | null;
  /** The first message, with whatever went along with it. */
  readonly preview: string;
  readonly cwd: string;
  readonly model: string | null;
  readonly rolloutPath: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When somebody last used it; an old Codex says only when it was updated. */
  readonly usedAt: string;
  /** The thread that started this one as a sub-agent. */
  readonly parentThreadId: string | null;
  /** What Codex calls a sub-agent. */
  readonly nickname: string | null;
}

/** What Codex said a loaded thread runs with; null where it said nothing. */
export interface AppliedSettings {
  readonly sandboxType: string | null;
  /** Of that sandbox. */
  readonly networkAccess: boolean | null;
  /** The model and the effort Codex runs with, chosen here or by its own configuration, and the mode its last turn left it in. */
  readonly model: string | null;
  readonly effort: string | null;
  readonly mode: string | null;
}

/** How to answer without asking anybody. */
export type AutoReply =
  | { readonly kind: 'current_time' }
  | { readonly kind: 'no_such_tool'; readonly tool: string }
  | { readonly kind: 'unsupported'; readonly what: string };

export type Signal =
  | ({ readonly type: 'turn.started'; readonly startedAtMs: number | null } & OfTurn)
  | ({
      readonly type: 'turn.completed';
      readonly status: TurnEnd;
      readonly failure: TurnFailure | null;
      readonly durationMs: number | null;
    } & OfTurn)
  | ({ readonly type: 'item.started'; readonly item: Item } & OfTurn)
  | ({ readonly type: 'item.completed'; readonly item: Item } & OfTurn)
  | ({
      readonly type: 'item.delta';
      readonly itemId: string;
      readonly channel: 'assistant' | 'reasoning' | 'command' | 'plan';
      readonly delta: string;
      /** Which paragraph of a reasoning summary. */
      readonly part: number;
    } & OfTurn)
  | ({ readonly type: 'item.changes'; readonly itemId: string; readonly changes: readonly FileChange[] } & OfTurn)
  | ({ readonly type: 'item.progress'; readonly itemId: string; readonly text: string } & OfTurn)
  | ({ readonly type: 'diff.updated'; readonly diff: string } & OfTurn)
  | ({ readonly type: 'plan.updated'; readonly steps: readonly PlanStep[]; readonly text: string | null } & OfTurn)
  | ({ readonly type: 'usage.updated'; readonly usage: TokenCounts } & OfTurn)
  | ({ readonly type: 'error'; readonly failure: TurnFailure; readonly willRetry: boolean } & OfTurn)
  | ({ readonly type: 'model.rerouted'; readonly from: string; readonly to: string } & OfTurn)
  | { readonly type: 'warning'; readonly threadId: string | null; readonly text: string; readonly code: string }
  | {
      readonly type: 'request';
      readonly threadId: string | null;
      readonly turnId: string | null;
      readonly itemId: string | null;
      readonly rpcId: RpcId;
      /** Names the Codex process that asks: its next one counts requests from 0 again. */
      readonly epoch: string;
      readonly method: string;
      readonly reason: string | null;
      /** Either somebody must answer, or we can. */
      readonly ask: Ask | null;
      readonly auto: AutoReply | null;
    }
  | { readonly type: 'request.resolved'; readonly threadId: string; readonly rpcId: RpcId }
  | {
      readonly type: 'thread.started';
      readonly threadId: string;
      readonly cwd: string;
      readonly parentThreadId: string | null;
    }
  | {
      readonly type: 'thread.status';
      readonly threadId: string;
      readonly status: string;
      readonly flags: readonly string[];
    }
  | {
      readonly type: 'thread.settings';
      readonly threadId: string;
      readonly settings: AppliedSettings;
    }
  | {
      readonly type: 'thread.gone';
      readonly threadId: string;
      readonly how: 'archived' | 'deleted' | 'closed' | 'unarchived';
    }
  | { readonly type: 'limits.updated'; readonly limits: unknown }
  | { readonly type: 'login.completed'; readonly error: string | null }
  /** Known and of no use to us; the disposition of `method` is `ignored`. */
  | { readonly type: 'ignored'; readonly method: string }
  | { readonly type: 'unknown'; readonly method: string; readonly threadId: string | null }
  | { readonly type: 'noise'; readonly text: string };

/** What our own side tells `route`. */
export type OwnSignal =
  /** A message of ours is in the transcript and on its way; its echo is not a second entry. */
  | { readonly type: 'message.stored'; readonly clientMessageId: string; readonly text: string }
  | { readonly type: 'message.undelivered'; readonly clientMessageId: string }
  /** Codex's history has it: should Codex repeat it, that says nothing new. */
  | { readonly type: 'message.delivered'; readonly clientMessageId: string; readonly deliveredIn: string | null }
  | {
      readonly type: 'approval.answered';
      readonly approvalId: string;
      readonly status: 'accepted' | 'declined' | 'cancelled';
      readonly decision: string;
      readonly answers: RecordedAnswers;
    }
  /** Somebody here ends these commands: however they end, they were stopped. */
  | { readonly type: 'commands.ending'; readonly itemIds: readonly string[]; readonly by: 'SIGTERM' | 'SIGKILL' }
  /** What Codex's history says of the newest turns, oldest first: after a restart of ours. */
  | { readonly type: 'turns.found'; readonly turns: readonly TurnRecord[] }
  /** The Codex process, or our connection to it with everything it knew, is gone. */
  | { readonly type: 'codex.gone'; readonly reason: string };
