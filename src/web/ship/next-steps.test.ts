/** What is offered after each kind of failure. */
import { expect, test } from 'vitest';
import { nextSteps, type Wanted } from './next-steps.ts';

const push: Wanted = { action: 'push', force_with_lease: false };
const change: Wanted = { action: 'switch', branch: 'refs/heads/x', overwrite: false };
const commit: Wanted = { action: 'commit', message: 'x', what: 'all', amend: false };
const kinds = (...of: Parameters<typeof nextSteps>) => nextSteps(...of).map(({ kind }) => kind);

test('[CH154] a diverged branch is merged or rebased, a rejected push pulls first or replaces', () => {
  expect(kinds({ action: 'pull', reason: 'diverged', wanted: null })).toEqual(['rebase', 'merge']);
  expect(kinds({ action: 'push', reason: 'rejected', wanted: push })).toEqual(['pull', 'force']);
  expect(kinds({ action: 'push', reason: 'refused', wanted: push })).toEqual(['again']);
});

test('[CH153] only a switch that this page started can replace changes: its branch is known', () => {
  expect(nextSteps({ action: 'switch', reason: 'overwrite', wanted: change })).toEqual([
    { kind: 'overwrite', wanted: { ...change, overwrite: true }, isGrave: true },
  ]);
  expect(kinds({ action: 'switch', reason: 'overwrite', wanted: null })).toEqual([]);
});

test('[CH152] a refused commit is repeated from its box', () => {
  expect(kinds({ action: 'commit', reason: 'hook', wanted: commit })).toEqual(['ask']);
  expect(kinds({ action: 'commit', reason: 'signing', wanted: commit })).toEqual([]);
});
