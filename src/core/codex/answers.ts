/** Codex's answers to our requests → records of ours; null for an answer nobody can read. Pure. */
import {
  CodexThread,
  KilledCommand,
  LoadedThreads,
  RunningCommands,
  SteerResult,
  ThreadResult,
  ThreadsPage,
  TurnResult,
  TurnsPage,
} from '../../contract/codex.ts';
import type { Schema } from '../../contract/schema.ts';
import { isRecord } from '../text/is-record.ts';
import { isoTime } from '../text/iso-time.ts';
import { appliedSettings } from './applied-settings.ts';
import { type Dialect, isReviewPrompt, ownTurnId, turnRecord } from './normalize.ts';
import type { ResumedThread, RunningItem, StartedThread, ThreadPage, TurnPage } from './operations.ts';
import type { ThreadRecord } from './signal.ts';

export function readStarted(answer: unknown): StartedThread | null {
  const result = read(ThreadResult, answer);
  return result === null ? null : { thread: threadRecord(result.thread), applied: appliedSettings(result) };
}

export function readResumed(dialect: Dialect, answer: unknown): ResumedThread | null {
  const result = read(ThreadResult, answer);
  if (result === null) return null;
  const newestTurns = (result.initialTurnsPage?.data ?? [])
    .filter((turn) => !isReviewPrompt(turn))
    .map((turn) => turnRecord(dialect, turn));
  return { applied: appliedSettings(result), newestTurns };
}

export function readThread(answer: unknown): ThreadRecord | null {
  const thread = isRecord(answer) ? read(CodexThread, answer.thread) : null;
  return thread === null ? null : threadRecord(thread);
}

/** Each thread once; Codex may list one twice. */
export function readThreads(answer: unknown): ThreadPage | null {
  const page = read(ThreadsPage, answer);
  if (page === null) return null;
  const unique = new Map(page.data.map((thread) => [thread.id, threadRecord(thread)]));
  return { threads: [...unique.values()], nextCursor: page.nextCursor ?? null };
}

export function readLoaded(answer: unknown): readonly string[] | null {
  return read(LoadedThreads, answer)?.data ?? null;
}

export function readRunning(answer: unknown): readonly RunningItem[] | null {
  const page = read(RunningCommands, answer);
  return page === null ? null : page.data.map(({ itemId, processId, command }) => ({ itemId, processId, command }));
}

export function readKilled(answer: unknown): boolean {
  return read(KilledCommand, answer)?.terminated === true;
}

export function readTurns(dialect: Dialect, answer: unknown): TurnPage | null {
  const page = read(TurnsPage, answer);
  if (page === null) return null;
  const turns = page.data.filter((turn) => !isReviewPrompt(turn)).map((turn) => turnRecord(dialect, turn));
  return { turns, nextCursor: page.nextCursor ?? null };
}

/** The id, in our form, of the turn that a request has begun. */
export function readTurnId(dialect: Dialect, answer: unknown): string | null {
  const id = read(TurnResult, answer)?.turn.id;
  return id === undefined ? null : ownTurnId(dialect, id);
}

export function readSteeredId(dialect: Dialect, answer: unknown): string | null {
  const id = read(SteerResult, answer)?.turnId;
  return id === undefined || id === '' ? null : ownTurnId(dialect, id);
}

function threadRecord(thread: CodexThread): ThreadRecord {
  return {
    threadId: thread.id,
    name: thread.name ?? null,
    preview: thread.preview,
    cwd: thread.cwd,
    model: thread.model ?? null,
    rolloutPath: thread.path ?? null,
    createdAt: isoTimeOfSeconds(thread.createdAt),
    updatedAt: isoTimeOfSeconds(thread.updatedAt),
    usedAt: isoTimeOfSeconds(thread.recencyAt ?? thread.updatedAt),
    parentThreadId: thread.parentThreadId ?? null,
    nickname: thread.agentNickname ?? null,
  };
}

/** Codex counts seconds. */
const isoTimeOfSeconds = (seconds: number | null | undefined): string => isoTime(Math.floor((seconds ?? 0) * 1000));

function read<T>(schema: Schema<T>, answer: unknown): T | null {
  const parsed = schema.safeParse(answer);
  return parsed.success ? parsed.data : null;
}
