/** Words of the dialog that finishes a linked work tree. Loaded with it. */
import { plural } from './plural.ts';

export const EN_FINISH = {
  title: 'Finish work tree',
  loading: 'Reading the repository…',
  plan: (commits: number, branch: string, into: string) =>
    `${plural(commits, 'commit', 'commits')} of ${branch} ${commits === 1 ? 'goes' : 'go'} into ${into}.`,
  nothing: (branch: string, into: string) => `${into} has every commit of ${branch} already.`,
  into: 'Into',
  how: 'How the branches come together',
  modes: { merge: 'Merge: one more commit that joins both', rebase: 'Rebase: the commits are written anew on top' },
  conflicts: (count: number) =>
    `Both branches changed ${plural(count, 'file', 'files')}, so nothing can be done yet. Bring the branches together in the work tree first, for example with git merge in the terminal.`,
  remove: 'Then remove the work tree and its branch',
  files: (count: number) => `${plural(count, 'file is', 'files are')} not committed and would go:`,
  ignored: (count: number) => `${plural(count, 'ignored file is', 'ignored files are')} only here and would go:`,
  agree: 'Remove all the same. Files that are not ignored and the branch are kept as commits for 90 days.',
  more: (count: number) => `and ${count} more`,
  go: 'Finish',
  bring: 'Bring the commits over',
  working: 'Working…',
  cancel: 'Cancel',
  done: (branch: string, into: string, isRemoved: boolean) =>
    `${branch} is in ${into}.${isRemoved ? ' The work tree and its branch were removed.' : ''}`,
} as const;
