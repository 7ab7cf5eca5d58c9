/** What the commit button says, does and leaves out. */
import { expect, test } from 'vitest';
import { chooseCommit } from './commit-choice.ts';

const facts = (counts: object, rest: object = {}) => ({
  counts: { staged: 0, unstaged: 0, untracked: 0, conflicted: 0, ...counts },
  head: 'abc',
  upstream: null,
  ahead: null,
  ...rest,
});

test.each([
  [{ staged: 3, unstaged: 1 }, false, 'staged', 'Commit 3 staged files', true],
  [{ staged: 1 }, false, 'staged', 'Commit 1 staged file', true],
  [{ unstaged: 2 }, false, 'all', 'Commit all changes', true],
  [{ untracked: 2 }, false, 'staged', 'Commit', false],
  [{}, false, 'staged', 'Commit', false],
  [{ staged: 1, conflicted: 1 }, false, 'staged', 'Commit', false],
  [{ staged: 1, conflicted: 1 }, true, 'staged', 'Commit', false],
  [{ staged: 2 }, true, 'staged', 'Amend with 2 staged files', true],
  [{ unstaged: 2 }, true, 'staged', 'Amend the message', true],
  [{}, true, 'staged', 'Amend the message', true],
] as const)('[CH150] %j, amend %s: %s', (counts, isAmend, what, label, isPossible) => {
  expect(chooseCommit(facts(counts), isAmend)).toMatchObject({ what, label, isPossible });
});

test('[CH150] what is left out, and a commit that the upstream has already, are said', () => {
  expect(chooseCommit(facts({ unstaged: 1, untracked: 2 }), false).note).toContain('2 new files are not part of it');
  expect(chooseCommit(facts({ staged: 1, unstaged: 2 }), false).note).toContain('2 files have changes');
  const pushed = facts({}, { upstream: 'origin/main', ahead: 0 });
  expect(chooseCommit(pushed, true).note).toContain('on origin/main already');
  expect(chooseCommit(facts({}, { upstream: 'origin/main', ahead: 1 }), true).note).toBeNull();
  expect(chooseCommit(facts({}, { head: null }), true)).toMatchObject({ isPossible: false });
});
