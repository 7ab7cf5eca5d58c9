/** The groups of the Changes panel. */
import { expect, test } from 'vitest';
import type { StatusFile } from '../../contract/changes.ts';
import { groupFiles, pathsOf } from './group-files.ts';

const file = (staged: string, unstaged: string, path: string, old_path: string | null = null): StatusFile => ({
  path,
  old_path,
  staged,
  unstaged,
});

test('[CH120] files are grouped by what git says of index and work tree; one that is staged and changed again is in both', () => {
  const files = [
    file('M', 'M', 'both'),
    file('.', 'A', 'intended'),
    file('R', '.', 'new-name', 'old-name'),
    file('A', 'A', 'added-twice'),
    file('U', 'D', 'gone'),
    file('.', '?', 'untracked'),
  ];
  const groups = groupFiles({ files, counts: { staged: 2, unstaged: 9, untracked: 1, conflicted: 2 } });
  expect(groups.map(({ name, count, files: own }) => [name, count, own.map(({ path }) => path)])).toEqual([
    ['conflicted', 2, ['added-twice', 'gone']],
    ['staged', 2, ['both', 'new-name']],
    ['unstaged', 9, ['both', 'intended']],
    ['untracked', 1, ['untracked']],
  ]);
  expect(groups[1]?.files.map(pathsOf)).toEqual([['both'], ['new-name', 'old-name']]);
});
