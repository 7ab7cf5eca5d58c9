/** Where a new conversation works: in the chosen directory, in a new work tree of its repository, or in one that is there. Pure. */
import type { RouteCall, RouteOutput } from '../../contract/routes.ts';
import type { Worktree } from '../../contract/worktrees.ts';
import { suggestBranch } from '../../core/changes/worktree-place.ts';

export type Repository = RouteOutput<'listWorktrees'>;

export type StartPlace =
  | { readonly kind: 'here' }
  | {
      readonly kind: 'new';
      /** Null: named after the message. */
      readonly branch: string | null;
      /** Null: the base branch. */
      readonly from: string | null;
      /** How many conversations are given the message, each in a work tree of its own. */
      readonly attempts?: number;
    }
  | { readonly kind: 'existing'; readonly path: string };

export const HERE: StartPlace = { kind: 'here' };

/** Named after the first words of the message; a name that is taken gets a number. */
export function branchOf(place: StartPlace, message: string, { branches }: Pick<Repository, 'branches'>): string {
  if (place.kind !== 'new') return '';
  if (place.branch !== null) return place.branch.trim();
  const name = suggestBranch(message);
  const isTaken = (wanted: string) => branches.some((one) => one.name === wanted);
  for (let count = 1; ; count += 1) {
    const wanted = count === 1 ? name : `${name}-${count}`;
    if (!isTaken(wanted)) return wanted;
  }
}

/** A branch that is there and checked out nowhere: the new work tree can take it. */
export function isFreeBranch(
  name: string,
  { branches, worktrees }: Pick<Repository, 'branches' | 'worktrees'>,
): boolean {
  return branches.some((one) => one.name === name) && worktrees.every(({ branch }) => branch !== name);
}

/** The other work trees that a conversation could work in, the main one and the linked ones. */
export function otherWorktrees({ worktrees, root }: Pick<Repository, 'worktrees' | 'root'>): readonly Worktree[] {
  return worktrees.filter((one) => one.path !== root && !one.is_missing);
}

/** The part of the call that begins the conversation. */
export function placeCall(
  place: StartPlace,
  repository: Repository | null,
  message: string,
): Pick<RouteCall<'createConversation'>, 'cwd'> & { worktree?: Omit<WantedWorktree, 'request_id'> } {
  if (repository === null || place.kind === 'here') return {};
  if (place.kind === 'existing') return { cwd: place.path };
  const branch = branchOf(place, message, repository);
  // A name that is chosen on purpose and is there takes that branch, as the form says.
  const existing = place.branch !== null && isFreeBranch(branch, repository);
  const setup = repository.setup === null ? {} : { setup: repository.setup };
  return { worktree: { branch, existing, ...setup, ...(!existing && place.from !== null && { from: place.from }) } };
}

/** The branches of the attempts: the chosen one, then the same with the next numbers that are free. */
export function attemptBranches(
  branch: string,
  count: number,
  { branches }: Pick<Repository, 'branches'>,
): readonly string[] {
  const names = [branch];
  for (let number = 2; names.length < count; number += 1) {
    const name = `${branch}-${number}`;
    if (branches.every((one) => one.name !== name)) names.push(name);
  }
  return names;
}

export type WantedWorktree = NonNullable<RouteCall<'createConversation'>['worktree']>;
