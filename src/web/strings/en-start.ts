/** Words of the page for a new conversation that are needed after the first look. Not part of `en`. */
import { plural } from './plural.ts';

export const EN_START = {
  settings: 'Settings of the new conversation',
  remember: 'Remember for this project',
  remembered: 'Remembered for this project.',
  forget: 'Use the general settings',
  recent: 'Recent projects',
  place: {
    label: 'Where it works',
    here: 'In this directory',
    onBranch: (branch: string) => `on ${branch}`,
    new: 'In a new work tree',
    newHint: 'Files and branch of its own, beside the repository',
    existing: 'In an existing work tree',
    inExisting: (branch: string) => `In the work tree of ${branch}`,
    main: 'main work tree',
    detached: (commit: string) => `no branch, at ${commit}`,
    branch: 'Branch',
    from: 'From',
    base: (branch: string | null) => (branch === null ? 'what is checked out' : `${branch} (base branch)`),
    takes: (branch: string) => `The branch ${branch} exists: the work tree checks it out as it is.`,
    isOut: (branch: string, path: string) => `The branch ${branch} is checked out in ${path}: choose another name.`,
    copies: (count: number, names: string) =>
      `Copies ${plural(count, 'ignored file', 'ignored files')} that .worktreeinclude names: ${names}.`,
    copiesNone: 'Ignored files, such as .env, are copied only if .worktreeinclude names them.',
    more: (count: number) => `and ${count} more`,
    moreWarnings: (count: number) => `${plural(count, 'more file is', 'more files are')} not copied.`,
  },
  conversations: (count: number) => plural(count, 'conversation', 'conversations'),
};
