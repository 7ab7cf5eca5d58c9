/** What pull and push say, and why they cannot be used. */
import { expect, test } from 'vitest';
import { syncOffer } from './sync-offer.ts';

const status = (change: object = {}) => ({
  root: '/r',
  branch: 'main',
  head: 'abc',
  upstream: 'origin/main',
  ahead: 0,
  behind: 0,
  counts: { staged: 0, unstaged: 0, untracked: 0, conflicted: 0 },
  files: [],
  ...change,
});
const origin = { remotes: [{ name: 'origin', url: '/x', host: null }], push_remote: 'origin' };

test('[CH154] pull and push say how much they bring and take', () => {
  const { pull, push } = syncOffer(status({ ahead: 2, behind: 1 }), origin);
  expect(pull).toEqual({ name: 'Pull 1 commit from origin/main', count: 1, problem: null });
  expect(push).toEqual({ name: 'Push 2 commits to origin', count: 2, problem: null });
  expect(syncOffer(status(), origin).push?.name).toBe('Push: origin has everything');
});

test('[CH154] what cannot be done says why', () => {
  expect(syncOffer(status(), null)).toEqual({ pull: null, push: null, canRequest: false });
  const none = syncOffer(status({ upstream: null, ahead: null, behind: null }), { remotes: [], push_remote: null });
  expect(none).toMatchObject({ pull: null, push: { problem: expect.stringContaining('no remote') } });
  const fresh = syncOffer(status({ upstream: null, ahead: null, behind: null }), origin);
  expect(fresh.pull?.problem).toContain('Push it first');
  expect(fresh.push).toMatchObject({ name: 'Push main to origin for the first time', problem: null });
  const detached = syncOffer(status({ branch: null, upstream: null, ahead: null, behind: null }), origin);
  expect(detached.push?.problem).toContain('no branch');
  const gone = syncOffer(status({ ahead: null, behind: null }), origin);
  expect(gone.push?.name).toBe('Push main to origin for the first time');
});
