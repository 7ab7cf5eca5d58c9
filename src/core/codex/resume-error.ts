/** What Codex says of a thread it could not resume. Pure. */

/** A thread that never had a turn exists nowhere but in the process that had it. */
export const isNowhere = (message: string): boolean => /no rollout found/.test(message);

/** An old Codex takes any file below `sessions/<thread id>/` for the rollout, our event socket and ledger among them. */
export function isOtherFile(message: string, threadId: string): boolean {
  if (/failed to parse thread ID/.test(message)) return true;
  const path = /failed to load rollout `([^`]*)`/.exec(message)?.[1];
  return path?.includes(`/${threadId}/`) === true;
}
