/**
 * The requests we make of Codex, as typed operations. The domains get these instead of a connection; `server/codex` implements them.
 * Failures have our codes; `codex_error` is every refusal that callers need not tell apart.
 */
import type { Result } from '../../contract/result.ts';
import type { ModelText } from '../context/fragment.ts';
import type { ProjectLevels } from '../trust/project-levels.ts';
import type { OutgoingMessage, ThreadSettings, ThreadsQuery } from './params.ts';
import type { AppliedSettings, ThreadRecord, TurnRecord } from './signal.ts';

export interface StartedThread {
  readonly thread: ThreadRecord;
  readonly applied: AppliedSettings;
}

interface ResumeRequest {
  readonly threadId: string;
  readonly settings: ThreadSettings;
  readonly levels: ProjectLevels;
  /** Where the file of the thread is; for a Codex that takes another file for it. */
  readonly rolloutPath: string | null;
  /** How many of its newest turns the answer brings. */
  readonly newestTurns: number;
}

export interface ResumedThread {
  readonly applied: AppliedSettings;
  /** Newest first. */
  readonly newestTurns: readonly TurnRecord[];
}

export interface ThreadPage {
  readonly threads: readonly ThreadRecord[];
  readonly nextCursor: string | null;
}

export interface TurnPage {
  /** Newest first. */
  readonly turns: readonly TurnRecord[];
  readonly nextCursor: string | null;
}

export interface ThreadOperations {
  startThread(settings: ThreadSettings, levels: ProjectLevels): Promise<Result<StartedThread>>;
  /**
   * `onResumed` runs before anything Codex says next is routed.
   * Fails with `unknown_thread` if Codex has no file of the thread, `thread_in_use` or `provider_mismatch`.
   */
  resumeThread(request: ResumeRequest, onResumed: (resumed: ResumedThread) => void): Promise<Result<null>>;
  /** With all its turns, or those up to and with `lastTurnId`. */
  forkThread(request: {
    readonly threadId: string;
    readonly lastTurnId: string | undefined;
    readonly cwd: string;
    readonly levels: ProjectLevels;
  }): Promise<Result<ThreadRecord>>;
  /** Codex unloads an idle thread that nobody follows, so that the next resume loads its configuration again. */
  releaseThread(threadId: string): Promise<Result<null>>;
  /** Takes the turn and all after it out of the thread. */
  revertThread(threadId: string, beforeTurnId: string): Promise<Result<null>>;
  /** Succeeds also if the thread is archived already, or if Codex has no file of it. */
  archiveThread(threadId: string): Promise<Result<null>>;
  /** Succeeds also if the thread is not archived, or if Codex has no file of it. */
  unarchiveThread(threadId: string): Promise<Result<null>>;
  /** Succeeds also if Codex has no file of it. */
  deleteThread(threadId: string): Promise<Result<null>>;
  /** Whether the user's configuration lets a sandbox that may write reach the network. */
  readNetworkAccess(): Promise<Result<boolean>>;
  nameThread(threadId: string, name: string): Promise<Result<null>>;
  compactThread(threadId: string): Promise<Result<null>>;
  /** Puts fragments into the history of a thread without a turn; the model reads them with its next request. */
  injectFragments(threadId: string, fragments: readonly ModelText[]): Promise<Result<null>>;
  readThread(threadId: string): Promise<Result<ThreadRecord>>;
  /** All threads in CODEX_HOME, last updated first. */
  listThreads(query: ThreadsQuery): Promise<Result<ThreadPage>>;
  /** Ids of the threads the running Codex has in memory. */
  listLoadedThreads(): Promise<Result<readonly string[]>>;
  listTurns(
    threadId: string,
    page: { readonly limit: number; readonly cursor: string | null },
  ): Promise<Result<TurnPage>>;
}

interface TurnRequest {
  readonly threadId: string;
  readonly message: OutgoingMessage;
  readonly settings: ThreadSettings;
  readonly applied: AppliedSettings;
}

/** A command that Codex runs. */
export interface RunningItem {
  readonly itemId: string;
  /** Codex's own number for the process; not one of the system's. */
  readonly processId: string;
  readonly command: string;
}

export interface TurnOperations {
  /** `onStarted` runs before anything Codex says of the turn is routed. Returns null if Codex's answer lacks the id of the turn. */
  startTurn(request: TurnRequest, onStarted: (turnId: string) => void): Promise<Result<string | null>>;
  /** Returns the id of the turn that got the message. Fails with `no_active_turn`, or `unknown_method` where Codex cannot steer. */
  steerTurn(threadId: string, turnId: string, message: OutgoingMessage): Promise<Result<string>>;
  /** Fails with `no_active_turn`. */
  interruptTurn(threadId: string, turnId: string): Promise<Result<null>>;
  /** Returns the id of the turn, empty if Codex's answer lacks it. */
  startReview(threadId: string, target: Readonly<Record<string, unknown>>): Promise<Result<string>>;
  /** Commands of a thread that Codex runs now, also those that outlived their turn. Fails with `unknown_method` where Codex cannot tell. */
  listRunningCommands(threadId: string): Promise<Result<readonly RunningItem[]>>;
  /** Codex kills the process group of the command at once. False if no such command runs. */
  killCommand(threadId: string, processId: string): Promise<Result<boolean>>;
  /** A command of the person's, outside any turn; its output comes as an item. */
  runShellCommand(threadId: string, command: string): Promise<Result<null>>;
}

/** A message that is in the model's history of a thread. */
export interface KeptMessage {
  readonly text: string;
  readonly atMs: number;
}

export interface CodexOperations extends ThreadOperations, TurnOperations {
  /**
   * User messages in a thread's file, oldest first. Codex writes a message for the model first and lists it afterwards: killed in
   * between, it lists the message nowhere, yet the model has it. Works without a running Codex; null if the file cannot be read.
   */
  readKeptMessages(rolloutPath: string, sinceMs: number): Promise<readonly KeptMessage[] | null>;
  /** Who began each turn of a thread, as far as its file notes it: by the id of the turn. Works without a running Codex. */
  readTurnTriggers(rolloutPath: string): Promise<ReadonlyMap<string, string>>;
  /**
   * What a sub-agent was told to do, oldest first, as far as the file of its thread has it; null for words that only the model can read.
   * Works without a running Codex.
   */
  readTasks(rolloutPath: string, agentPath: string): Promise<readonly (string | null)[]>;
  /** The process other than the Codex of this server that has the thread open; null where nobody has, or the system does not tell. */
  holderOf(threadId: string): { readonly name: string; readonly pid: number } | null;
  /** Names the Codex process that runs now; empty when none runs. */
  epoch(): string;
}

/** The `event` of an entry that was read from Codex's history of a thread. */
export const HISTORY_EVENT = 'thread/turns/list';
