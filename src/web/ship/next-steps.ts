/** What a person asks to be done, and what they can do after it failed. Pure. */
import type { ShipAction, ShipFailure } from '../../contract/ship.ts';

/** An action with all that its route takes, so that it can be done again. */
export type Wanted =
  | { readonly action: 'commit'; readonly message: string; readonly what: 'staged' | 'all'; readonly amend: boolean }
  | { readonly action: 'branch'; readonly name: string }
  | { readonly action: 'switch'; readonly branch: string; readonly overwrite: boolean }
  | { readonly action: 'pull'; readonly mode: 'ff' | 'merge' | 'rebase' }
  | { readonly action: 'push'; readonly force_with_lease: boolean }
  | {
      readonly action: 'pull_request';
      readonly title: string;
      readonly body: string;
      readonly base: string;
      readonly is_draft: boolean;
    };

export interface NextStep {
  readonly kind: 'again' | 'ask' | 'overwrite' | 'pull' | 'merge' | 'rebase' | 'force';
  /** Null: the output is quoted in a message. */
  readonly wanted: Wanted | null;
  /** It replaces something. */
  readonly isGrave: boolean;
}

interface Failed {
  readonly action: ShipAction;
  readonly reason: ShipFailure['reason'];
  /** Null where this page did not start the action, as after a reload. */
  readonly wanted: Wanted | null;
}

const ASK: NextStep = { kind: 'ask', wanted: null, isGrave: false };
const pull = (kind: 'pull' | 'merge' | 'rebase'): NextStep => ({
  kind,
  wanted: { action: 'pull', mode: kind === 'pull' ? 'ff' : kind },
  isGrave: false,
});

export function nextSteps({ action, reason, wanted }: Failed): readonly NextStep[] {
  // A commit is repeated from its box, where the message still is.
  const again: readonly NextStep[] =
    wanted === null || wanted.action === 'commit' ? [] : [{ kind: 'again', wanted, isGrave: false }];
  switch (reason) {
    case 'hook':
      return [ASK, ...again];
    case 'overwrite':
      return wanted?.action === 'switch'
        ? [{ kind: 'overwrite', wanted: { ...wanted, overwrite: true }, isGrave: true }]
        : again;
    case 'diverged':
      return [pull('rebase'), pull('merge')];
    case 'rejected':
      return [pull('pull'), { kind: 'force', wanted: { action: 'push', force_with_lease: true }, isGrave: true }];
    case 'conflict':
      return action === 'pull' ? [ASK] : [];
    case 'nothing':
      return [];
    case 'locked':
    case 'identity':
    case 'signing':
    case 'refused':
    case 'login':
    case 'unreachable':
    case 'time_limit':
    case 'cancelled':
    case 'other':
      return again;
    default:
      return reason satisfies never;
  }
}
