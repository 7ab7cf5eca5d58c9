/** Names of branches, compared with what git itself says about them. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isBranchName, localBranch, parseBranches, shortName } from './parse-refs.ts';

const PIECES = [
  'a',
  'main',
  'feat/x',
  'ü',
  '.',
  '..',
  '/',
  '//',
  '-',
  '@',
  '@{',
  '{',
  '.lock',
  'x.lock/y',
  ' ',
  '~',
  '^',
  ':',
  '?',
  '*',
  '[',
  ']',
  '\\',
  '\t',
  '\u007f',
  'HEAD',
  '%',
  "'",
  '"',
  '$(x)',
];
/** Git takes them as a name, and everybody reads them as the commit that is checked out. */
const REVISIONS = new Set(['HEAD', '@']);
const gitTakes = (name: string): boolean => {
  const { status, stdout } = spawnSync('git', ['check-ref-format', '--branch', name]);
  return status === 0 && stdout.toString().trimEnd() === name;
};

test('[CH70] the check of a branch name agrees with git', () => {
  const pairs = PIECES.flatMap((one) => PIECES.slice(0, 16).map((other) => one + other));
  const wrong = [...PIECES, ...pairs].filter((name) => isBranchName(name) !== (gitTakes(name) && !REVISIONS.has(name)));
  expect(wrong).toEqual([]);
  expect(isBranchName('')).toBe(false);
  expect(isBranchName('a\0b')).toBe(false);
  expect(isBranchName('\ud800')).toBe(false);
  expect(isBranchName('x'.repeat(241))).toBe(false);
  expect(isBranchName('feature/add-a-button')).toBe(true);
});

test('[CH70] refs are shortened, and a branch of a remote names the branch it would be here', () => {
  expect(['refs/heads/a/b', 'refs/remotes/origin/a', 'refs/tags/v1', 'refs/x'].map(shortName)).toEqual([
    'a/b',
    'origin/a',
    'v1',
    'refs/x',
  ]);
  expect(['refs/heads/a/b', 'refs/remotes/origin/a/b', 'refs/tags/v1'].map(localBranch)).toEqual(['a/b', 'a/b', null]);
});

test('[CH70] a line of a hostile commit date is still a branch', () => {
  const line = (...fields: string[]) => fields.join('\0');
  const text = [
    line('refs/heads/a', 'refs/remotes/origin/a', '1700000000', '*', ''),
    line('refs/remotes/origin/HEAD', '', '1', ' ', 'refs/remotes/origin/a'),
    line('refs/heads/b', '', '99999999999999999', ' ', ''),
    line('refs/heads/c', '', '', ' ', ''),
    '',
  ].join('\n');
  expect(parseBranches(Buffer.from(text))).toEqual([
    {
      ref: 'refs/heads/a',
      name: 'a',
      upstream: 'refs/remotes/origin/a',
      at: '2023-11-14T22:13:20.000Z',
      is_current: true,
    },
    { ref: 'refs/heads/b', name: 'b', upstream: null, at: '+275760-09-13T00:00:00.000Z', is_current: false },
    { ref: 'refs/heads/c', name: 'c', upstream: null, at: '1970-01-01T00:00:00.000Z', is_current: false },
  ]);
});
