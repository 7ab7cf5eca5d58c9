/** What the form of a review offers, what it begins with, and the target that a choice stands for. Pure. */
import type { ReviewChoices, ReviewTarget } from '../../contract/review.ts';

export type ReviewKind = ReviewTarget['type'];

export interface ReviewChoice {
  readonly kind: ReviewKind;
  readonly branch: string;
  readonly sha: string;
  readonly instructions: string;
}

/** Whether there is anything of this kind to review. */
export function isOffered({ branches, commits, uncommitted }: ReviewChoices, kind: ReviewKind): boolean {
  switch (kind) {
    case 'uncommittedChanges':
      return uncommitted > 0;
    case 'baseBranch':
      return branches.length > 0;
    case 'commit':
      return commits.length > 0;
    case 'custom':
      return true;
    default:
      return kind satisfies never;
  }
}

/** The base branch comes first, and stays in the list also where it is an old one. */
export function branchNames({ branches, base }: ReviewChoices): readonly string[] {
  const names = new Set(branches.map(({ name }) => name));
  if (base === null || !names.has(base)) return [...names];
  return [...new Set([base, ...names])];
}

/** The first kind that has something to review, with the base branch and the newest commit. */
export function firstChoice(choices: ReviewChoices): ReviewChoice {
  const kinds = ['uncommittedChanges', 'baseBranch', 'commit', 'custom'] as const satisfies readonly ReviewKind[];
  return {
    kind: kinds.find((kind) => isOffered(choices, kind)) ?? 'custom',
    branch: branchNames(choices)[0] ?? '',
    sha: choices.commits[0]?.sha ?? '',
    instructions: '',
  };
}

/** Null while the choice is not complete. */
export function targetOf({ kind, branch, sha, instructions }: ReviewChoice): ReviewTarget | null {
  switch (kind) {
    case 'uncommittedChanges':
      return { type: kind };
    case 'baseBranch':
      return branch === '' ? null : { type: kind, branch };
    // A title of the repository would become a part of what the model is asked.
    case 'commit':
      return sha === '' ? null : { type: kind, sha, title: null };
    case 'custom':
      return instructions.trim() === '' ? null : { type: kind, instructions: instructions.trim() };
    default:
      return kind satisfies never;
  }
}
