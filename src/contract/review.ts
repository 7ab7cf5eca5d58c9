/** What crosses a boundary about reviews: what Codex is asked to review, and what of a repository can be chosen for it. */
import { z } from 'zod';
import { Branch } from './branches.ts';

/** A name that git reads as a revision and never as an option. Control characters and blanks are in no name of a branch. */
const revision = z
  .string()
  .min(1)
  .max(400)
  .regex(/^[^-\p{Cc}\p{Z}][^\p{Cc}\p{Z}]*$/u, 'expected the name of a branch');

export const ReviewTarget = z.discriminatedUnion('type', [
  z.object({ type: z.literal('uncommittedChanges') }),
  z.object({ type: z.literal('baseBranch'), branch: revision }),
  z.object({
    type: z.literal('commit'),
    sha: z.string().regex(/^[0-9a-fA-F]{4,64}$/, 'expected the hexadecimal name of a commit'),
    /** Becomes a part of what the model is asked, so it is a person's choice and never filled in from the repository. */
    title: z.string().max(400).nullable().default(null),
  }),
  z.object({ type: z.literal('custom'), instructions: z.string().min(1).max(65_536) }),
]);
export type ReviewTarget = z.infer<typeof ReviewTarget>;

export const Commit = z.object({
  sha: z.string(),
  /** The first line of its message. */
  title: z.string(),
  /** When it was made. */
  at: z.string(),
});
export type Commit = z.infer<typeof Commit>;

export const ReviewChoices = z.object({
  /** All but the one that is checked out, the newest first; at most 200. */
  branches: z.array(Branch),
  /** The short name of the branch that the work is based on; null if nothing says so. */
  base: z.string().nullable(),
  /** The newest that HEAD contains, at most 50. */
  commits: z.array(Commit),
  /** Files that are changed, staged or new; more than 2,000 are not counted. */
  uncommitted: z.number().int(),
  /** Why there is nothing to choose: no repository, say; null if there is a repository. */
  reason: z.string().nullable(),
});
export type ReviewChoices = z.infer<typeof ReviewChoices>;
