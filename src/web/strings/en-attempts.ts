/** Words of the comparison of attempts. Loaded with it. */
import { plural } from './plural.ts';

export const EN_ATTEMPTS = {
  title: 'Compare attempts',
  loading: 'Reading the attempts…',
  none: 'This conversation is not one of several attempts.',
  name: (number: number) => `Attempt ${number}`,
  states: {
    draft: 'Not begun',
    running: 'Running',
    waiting: 'Waits for you',
    failed: 'Failed',
    done: 'Done',
  },
  files: (count: number) => plural(count, 'file', 'files'),
  noFiles: 'Its changes cannot be read: the work tree is gone, or there is no base branch.',
  noAnswer: 'No answer yet.',
  difference: 'Difference',
  open: 'Open',
  keep: 'Keep this one',
  keeping: (number: number) => `Keep attempt ${number}`,
  keepMeans:
    'Only commits go into the base branch. To keep changes that are not committed, open the attempt and commit them first.',
  remove: (count: number) => `Remove ${plural(count, 'other attempt', 'other attempts')}`,
  removeMeans: (branches: string) => `The work trees and branches of ${branches} are removed. The conversations stay.`,
  commits: (count: number) => `${plural(count, 'commit is', 'commits are')} on no other branch and would go.`,
  leave: 'Leave them',
  removed: 'The other attempts were removed.',
} as const;
