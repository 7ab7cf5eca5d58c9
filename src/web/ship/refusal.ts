/** Why the server did not even begin an action, in the form in which a failed action is shown. Pure. */
import type { Failure } from '../../contract/result.ts';
import type { ShipAction, ShipFailure } from '../../contract/ship.ts';
import { EN_SHIP } from '../strings/en-ship.ts';
import type { Wanted } from './next-steps.ts';

export interface Refusal {
  readonly action: ShipAction;
  readonly wanted: Wanted | null;
  readonly failure: ShipFailure;
}

/** Another try can end otherwise: the server was away, or somebody else was at work. */
const PASSING: readonly Failure['code'][] = ['stale', 'no_answer', 'not_running', 'storage_full', 'storage_failed'];

export function refusalOf(wanted: Wanted, { code, message, details = {} }: Failure): Refusal {
  const isBusy = typeof details.conversation_id === 'string';
  const files = Array.isArray(details.files) ? details.files.map(String) : [];
  const reason = isBusy || PASSING.includes(code) ? 'other' : details.reason === 'conflict' ? 'conflict' : 'nothing';
  return {
    action: wanted.action,
    wanted,
    failure: { message: isBusy ? EN_SHIP.busyHere : message, reason, files },
  };
}
