/** Words for the branch of a conversation. Part of the first load. */
export const EN_BRANCH = {
  on: (branch: string) => `in a work tree on ${branch}`,
} as const;
