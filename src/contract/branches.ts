/** What crosses a boundary about the branches of a repository. */
import { z } from 'zod';

export const Branch = z.object({
  /** The full name, such as `refs/heads/main` or `refs/remotes/origin/main`. */
  ref: z.string(),
  /** The short name: `main`, `origin/main`. */
  name: z.string(),
  /** The full name of the branch that push and pull work with; null if there is none. */
  upstream: z.string().nullable(),
  /** When the newest commit of the branch was made. */
  at: z.string(),
  is_current: z.boolean(),
});
export type Branch = z.infer<typeof Branch>;
