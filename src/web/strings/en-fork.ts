/** Words of the dialog that forks into a new work tree. Loaded with it. */
export const EN_FORK = {
  title: 'Fork into a work tree',
  means:
    'A new conversation with everything up to this turn, in a work tree of its own. Its files are as they were after the turn, as changes that are not committed.',
  branch: 'Branch',
  runs: (command: string) => `Then runs ${command}`,
  none: 'The directory of this conversation is in no git repository any more.',
  loading: 'Reading the repository…',
  go: 'Fork',
  working: 'Making the work tree…',
  cancel: 'Cancel',
} as const;
