/** What each exit code means, for the help and the man page. Which failure has which is in `contract/result.ts`. */

export const EXIT_INTERRUPTED = 130;

export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'ok'],
  [1, 'failure'],
  [2, 'usage'],
  [3, 'not running'],
  [4, 'not allowed: no credential, or its scope is missing'],
  [5, 'unknown conversation or thread'],
  [6, 'invalid event'],
  [7, 'duplicate event'],
  [8, 'rate limited'],
  [75, 'another server holds this home'],
  [EXIT_INTERRUPTED, 'interrupted'],
];
