/** What a person can do right after a turn: try a failed one again, cure a known cause, or have a plan implemented. Pure. */
import type { Entry, EntryOf } from '../../contract/entry.ts';
import { kindOfError } from '../../core/text/explain-error.ts';

export interface NextSteps {
  /** The message of the failed turn. */
  readonly again: EntryOf<'user'> | null;
  /** What cures the cause. */
  readonly cure: 'compact' | 'sign_in' | null;
  readonly hasPlan: boolean;
}

const CURES: Readonly<Record<string, NextSteps['cure']>> = {
  contextWindowExceeded: 'compact',
  unauthorized: 'sign_in',
  usageLimitExceeded: 'sign_in',
};

/** Null for every turn but the newest, and where there is nothing to offer. */
export function nextSteps(
  entries: readonly Entry[],
  status: EntryOf<'status'>,
  mode: 'default' | 'plan',
): NextSteps | null {
  const turnId = status.turn_id;
  const newest = entries.findLast((one) => one.role === 'status');
  if (turnId === undefined || newest?.turn_id !== turnId) return null;
  const ofTurn = entries.filter((one) => one.turn_id === turnId);
  const again = status.turn_status === 'failed' ? messageOf(entries, turnId) : null;
  const error = ofTurn.findLast((one) => one.role === 'error');
  const kind = error?.role === 'error' ? kindOfError(error.text, error.code ?? null) : null;
  const cure = status.turn_status === 'failed' && kind !== null ? (CURES[kind] ?? null) : null;
  const isPlan = (one: Entry) => one.role === 'plan' && one.steps.length === 0;
  const hasPlan = status.turn_status === 'completed' && mode === 'plan' && ofTurn.some(isPlan);
  return again === null && cure === null && !hasPlan ? null : { again, cure, hasPlan };
}

/** The newest message that the turn was given. */
function messageOf(entries: readonly Entry[], turnId: string): EntryOf<'user'> | null {
  const ids = new Set(
    entries.flatMap((one) => (one.role === 'delivery' && one.turn_id === turnId ? [one.client_message_id] : [])),
  );
  const found = entries.findLast(
    (one) => one.role === 'user' && (one.turn_id === turnId || ids.has(one.client_message_id ?? '')),
  );
  return found?.role === 'user' ? found : null;
}
