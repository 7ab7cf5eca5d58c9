/** What the form of a review begins with, and what it asks for. */
import { expect, test } from 'vitest';
import type { ReviewChoices } from '../../contract/review.ts';
import { branchNames, firstChoice, isOffered, targetOf } from './review-choice.ts';

const at = '2026-01-01T00:00:00.000Z';
const branch = (name: string) => ({ ref: `refs/heads/${name}`, name, upstream: null, at, is_current: false });
const NOTHING: ReviewChoices = { branches: [], base: null, commits: [], uncommitted: 0, reason: 'no repository' };

test('[PG341] the form begins with the first kind that has something to review', () => {
  const commits = [{ sha: 'abcd', title: 'First', at }];
  expect(firstChoice(NOTHING).kind).toBe('custom');
  expect(firstChoice({ ...NOTHING, commits })).toMatchObject({ kind: 'commit', sha: 'abcd' });
  expect(firstChoice({ ...NOTHING, commits, branches: [branch('main')] }).kind).toBe('baseBranch');
  expect(firstChoice({ ...NOTHING, commits, branches: [branch('main')], uncommitted: 1 }).kind).toBe(
    'uncommittedChanges',
  );
  expect(isOffered(NOTHING, 'custom')).toBe(true);
});

test('[PG341] the base branch is offered first, each name once, and a base that is checked out is no choice', () => {
  const branches = [branch('new'), branch('main'), branch('new')];
  expect(branchNames({ ...NOTHING, branches, base: 'main' })).toEqual(['main', 'new']);
  expect(branchNames({ ...NOTHING, branches: [branch('new')], base: 'main' })).toEqual(['new']);
  expect(firstChoice({ ...NOTHING, branches, base: 'main' }).branch).toBe('main');
});

test('[PG341] a choice that is not complete is no target, and a title of the repository goes nowhere', () => {
  const none = firstChoice(NOTHING);
  expect(targetOf({ ...none, kind: 'baseBranch' })).toBeNull();
  expect(targetOf({ ...none, kind: 'commit' })).toBeNull();
  expect(targetOf({ ...none, instructions: ' \n ' })).toBeNull();
  expect(targetOf({ ...none, instructions: ' look \n' })).toEqual({ type: 'custom', instructions: 'look' });
  expect(targetOf({ ...none, kind: 'commit', sha: 'abcd' })).toEqual({ type: 'commit', sha: 'abcd', title: null });
});
