/** Words of the form that starts a review. Loaded with the form. */
import { plural } from './plural.ts';

export const EN_REVIEW = {
  title: 'Review',
  what: 'What Codex reviews',
  loading: 'Reading the repository…',
  uncommitted: 'Uncommitted changes',
  files: (count: number) => plural(count, 'file', 'files'),
  nothing: 'there are none',
  branch: 'Changes since a base branch',
  branchName: 'Base branch',
  noBranch: 'there is no other branch',
  isBase: (name: string) => `${name} (default)`,
  commit: 'One commit',
  noCommit: 'there is none yet',
  own: 'Your own instructions',
  ownHint: 'For example: check the error handling in src/server',
  running: 'A turn is running. The review can start when it has ended.',
  start: 'Start review',
  cancel: 'Cancel',
} as const;
