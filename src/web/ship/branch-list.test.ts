/** The list of branches and the branches that a request can go into. */
import { expect, test } from 'vitest';
import { listBranches, requestBases } from './branch-list.ts';

const branch = (ref: string, is_current = false) => ({
  ref,
  name: ref.replace(/^refs\/(heads|remotes)\//, ''),
  upstream: null,
  at: '2026-01-01T00:00:00.000Z',
  is_current,
});
const ALL = [
  branch('refs/heads/main', true),
  branch('refs/remotes/origin/main'),
  branch('refs/remotes/origin/fix/Parser'),
  branch('refs/heads/refs/remotes/odd'),
];

test('[CH153] a branch of a remote is listed where no local one has its name', () => {
  expect(listBranches(ALL, '').map(({ ref }) => ref)).toEqual([
    'refs/heads/main',
    'refs/remotes/origin/fix/Parser',
    'refs/heads/refs/remotes/odd',
  ]);
  expect(listBranches([...ALL].reverse(), '')[0]?.name).toBe('main');
  expect(listBranches(ALL, 'parser FIX').map(({ isRemote }) => isRemote)).toEqual([true]);
  expect(listBranches(ALL, 'gone')).toEqual([]);
});

test('[CH156] a request goes into a branch that the remote has', () => {
  expect(requestBases(ALL, 'origin', ['main'])).toEqual(['main', 'fix/Parser']);
  expect(requestBases(ALL, null, ['main', 'main'])).toEqual(['main']);
});
