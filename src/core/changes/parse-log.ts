/** Reads the commits that `git log` prints. Pure. */
import type { Commit } from '../../contract/review.ts';
import { isoOfSeconds } from './parse-refs.ts';

/** One line per commit, the fields between NUL bytes: `%s` is the first paragraph of a message, joined to one line. */
export const COMMIT_FORMAT = '%H%x00%ct%x00%s';

/** A title as long as a line that people read; the sha names the rest. */
const MAX_TITLE_CHARS = 200;

export function parseCommits(output: Uint8Array): Commit[] {
  return new TextDecoder('utf-8')
    .decode(output)
    .split('\n')
    .flatMap((line) => {
      const [sha = '', seconds = '', title = ''] = line.split('\0');
      if (!/^[0-9a-f]{40,64}$/.test(sha)) return [];
      return [{ sha, title: [...title].slice(0, MAX_TITLE_CHARS).join(''), at: isoOfSeconds(seconds) }];
    });
}
