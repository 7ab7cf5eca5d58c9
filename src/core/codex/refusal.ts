/** Codex's error texts → our error codes. The only place that reads what Codex says when it refuses a request. Pure. */
import type { ErrorCode, Failure } from '../../contract/result.ts';
import { isRecord } from '../text/is-record.ts';

const says =
  (pattern: RegExp) =>
  ({ message }: Failure): boolean =>
    pattern.test(message);

/** The refusals callers tell apart; every other one is a `codex_error`. */
const REFUSALS = {
  no_active_turn: says(/no active turn|expected active turn id/i),
  /** A review or a compaction runs: Codex takes no message into it. */
  not_steerable: says(/cannot steer|not ?steerable/i),
  /** The thread was moved or unloaded since we loaded it, or the turn was reverted. */
  stale: says(/thread not found|turn not found|session \S+ is archived/i),
  /** A review that was stopped before it began has no place in Codex's history to go back to. */
  conflict: says(/persisted start boundary/i),
  unknown_method: says(/unknown variant|unknown method|method not found/i),
  /**
   * A thread that never had a turn exists nowhere but in the process that had it; of a killed one an empty file may be left. The file of
   * another one may be deleted or damaged.
   */
  unknown_thread: says(/no rollout found|failed to read session metadata/),
  thread_in_use: says(/already has an active writer/),
  provider_mismatch: ({ details }) => mismatchIn(details) !== null,
} as const satisfies Partial<Record<ErrorCode, (failure: Failure) => boolean>>;

export type RefusalCode = keyof typeof REFUSALS;

/** Codex refused the request; with any other code of a failed request, Codex may have received and performed it. */
export const isRefusal = (code: ErrorCode): boolean => code === 'codex_error' || code in REFUSALS;

/** Gives the failure the first code of `known` that fits it; any other failure is returned unchanged. */
export function readRefusal(failure: Failure, known: readonly RefusalCode[]): Failure {
  if (failure.code !== 'codex_error') return failure;
  const code = known.find((one) => REFUSALS[one](failure));
  return code === undefined ? failure : explained({ ...failure, code });
}

/** Refusals a person can do something about get a message that says what. */
function explained(failure: Failure): Failure {
  const { code } = failure;
  if (code === 'thread_in_use')
    return { code, message: 'another Codex process has this thread open: close it there first; reading works' };
  if (code === 'stale')
    return { code, message: 'the conversation was archived, reverted or deleted meanwhile: reload it, then try again' };
  if (code === 'conflict')
    return { code, message: 'Codex has not stored where this turn began: revert to before an earlier turn, or go on' };
  if (code === 'no_active_turn') return { code, message: 'the turn has ended: send the message instead of steering' };
  if (code === 'not_steerable')
    return { code, message: 'a review or a compaction is running: wait for its end, or send the message to the queue' };
  if (code !== 'provider_mismatch') return failure;
  const { modelProvider, currentModelProvider } = mismatchIn(failure.details) ?? {};
  return {
    code,
    message: `this thread belongs to the model provider ${modelProvider}; Codex now runs with ${currentModelProvider}. Sign in or configure ${modelProvider} to go on with it; reading works.`,
  };
}

function mismatchIn(details: Failure['details']): Record<string, unknown> | null {
  const data = details?.data;
  return isRecord(data) && data.type === 'modelProviderMismatch' ? data : null;
}

/** An old Codex takes any file below `sessions/<thread id>/` for the rollout, our event socket and ledger among them. */
export function isOtherFile({ message }: Failure, threadId: string): boolean {
  if (/failed to parse thread ID/.test(message)) return true;
  const path = /failed to load rollout `([^`]*)`/.exec(message)?.[1];
  return path?.includes(`/${threadId}/`) === true;
}

/** An archive or unarchive request had nothing to do: the thread is there already, or Codex has no file of it. */
export const isAlreadyMoved = ({ code, message }: Failure): boolean =>
  code === 'codex_error' && /no (archived )?rollout|not found|already/i.test(message);

/** The turn that runs, where a request named another one: `expected active turn id X but found Y`. */
export function runningTurnIn({ message }: Failure): string | null {
  return /expected active turn id .{0,200}?but found [`'"]?([\w-]+)/i.exec(message)?.[1] ?? null;
}

/** Codex knows a parameter of the request, and takes no value of the given type for it. */
export const isWrongType = says(/invalid type|expected a map/i);

/** The thread was loaded without the permission profile that a turn names. */
export const isUndefinedProfile = says(/undefined profile/i);

/** No login waits under the given id. */
export const isUnknownLogin = says(/invalid login id/i);
