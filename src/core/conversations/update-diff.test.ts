/** Diffs of Codex in a directory below the top of its repository. */
import { expect, test } from 'vitest';
import { CWD, diffUpdated, end, patch, runOf, started } from '../../../test/signals.ts';
import { diffFromCwd, rootOfDiff } from './diff-identity.ts';

const REPO = '/home/dev/';
const header = (path: string) => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;
const HUNK = '@@ -1 +1 @@\n-a\n+b\n';
const BELOW = `${header('project/a.txt')}${HUNK}`;

test('[CV23] paths begin at the working directory, also where the repository begins above it', () => {
  const run = runOf(started('t'), end('t', patch('p', 'completed')), diffUpdated('t', BELOW));
  const diffs = run.entries.filter((entry) => entry.role === 'diff');
  expect(diffs).toMatchObject([{ path: 'a.txt', files: [{ path: 'a.txt' }], diff: `${header('a.txt')}${HUNK}` }]);
});

test('[CV23] a diff is one, whether or not its root was known when it came first', () => {
  const run = runOf(
    started('t'),
    diffUpdated('t', BELOW),
    end('t', patch('p', 'completed')),
    diffUpdated('t', BELOW),
    diffUpdated('t', `${BELOW}${header('project/c.txt')}${HUNK}`),
    diffUpdated('t', `${BELOW}${header('project/c.txt')}${HUNK}`),
  );
  const paths = run.entries.flatMap((entry) => (entry.role === 'diff' ? [entry.files.map(({ path }) => path)] : []));
  expect(paths).toEqual([['project/a.txt'], ['a.txt', 'c.txt']]);
});

test.each([
  ['the same name in a folder below', ['a.ts', 'src/a.ts'], ['/w/a.ts', '/w/src/a.ts'], '/w/src', '/w/'],
  ['the working directory itself', ['a.ts'], ['/w/a.ts'], '/w', '/w/'],
  ['a file of another repository', ['a.ts'], ['/other/a.ts'], '/w', null],
  ['a file nobody told of', ['b.ts'], ['/w/a.ts'], '/w', null],
  ['a name that only ends alike', ['a.ts'], ['/w/data.ts'], '/w', null],
])('[CV23] the root of a diff: %s', (_what, names, known, cwd, root) => {
  expect(rootOfDiff(names.map((name) => `${header(name)}${HUNK}`).join(''), known, cwd)).toBe(root);
});

test('[CV23] only names of files change: no line of a file, no missing file, no file outside', () => {
  const diff = [
    'diff --git a/project/new.txt b/project/new.txt',
    'new file mode 100644',
    '--- /dev/null',
    '+++ b/project/new.txt',
    '@@ -0,0 +1,2 @@',
    '+++ b/project/looks.like',
    '+rename from project/x',
    'diff --git a/project/old.md b/docs/new.md',
    'rename from project/old.md',
    'rename to docs/new.md',
    '--- a/project/old.md',
    '+++ b/docs/new.md',
    '@@ -1 +1 @@',
    '--- a/project/kept',
    '++x',
    '',
  ].join('\n');
  expect(diffFromCwd(diff, REPO, CWD)).toBe(
    [
      'diff --git a/new.txt b/new.txt',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/new.txt',
      '@@ -0,0 +1,2 @@',
      '+++ b/project/looks.like',
      '+rename from project/x',
      'diff --git a/old.md b//home/dev/docs/new.md',
      'rename from old.md',
      'rename to /home/dev/docs/new.md',
      '--- a/old.md',
      '+++ b//home/dev/docs/new.md',
      '@@ -1 +1 @@',
      '--- a/project/kept',
      '++x',
      '',
    ].join('\n'),
  );
});
