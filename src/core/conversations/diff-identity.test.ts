/** Diffs: which files they touch, and git-style diffs made from an item's changes. */
import { expect, test } from 'vitest';
import type { FileChange } from '../codex/item.ts';
import { diffId, diffOfChanges, filesOfDiff, relativePath } from './diff-identity.ts';

const CWD = '/w';
const hunk = '@@ -1 +1 @@\n-a\n+b\n';

test.each<[string, FileChange, string, object]>([
  [
    'an update',
    { path: '/w/a.txt', kind: 'update', diff: hunk },
    `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n${hunk}`,
    { path: 'a.txt', kind: 'update' },
  ],
  [
    'a new file',
    { path: '/w/a.txt', kind: 'add', diff: 'x\ny' },
    'diff --git a/a.txt b/a.txt\nnew file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n',
    { path: 'a.txt', kind: 'add' },
  ],
  [
    'an empty new file',
    { path: '/w/a.txt', kind: 'add', diff: '' },
    'diff --git a/a.txt b/a.txt\nnew file mode 100644\n--- /dev/null\n+++ b/a.txt\n',
    { path: 'a.txt', kind: 'add' },
  ],
  [
    'a deleted file',
    { path: '/w/d/a.txt', kind: 'delete', diff: 'x\n' },
    'diff --git a/d/a.txt b/d/a.txt\ndeleted file mode 100644\n--- a/d/a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n',
    { path: 'd/a.txt', kind: 'delete' },
  ],
  [
    'a moved file',
    { path: '/w/a', kind: 'move', diff: `${hunk}\n\nMoved to: /w/b`, movedTo: '/w/b' },
    `diff --git a/a b/b\nrename from a\nrename to b\n--- a/a\n+++ b/b\n${hunk}`,
    { path: 'a', kind: 'move', moved_to: 'b' },
  ],
  [
    'a file outside',
    { path: '/etc/x', kind: 'add', diff: 'x\n' },
    'diff --git a//etc/x b//etc/x\nnew file mode 100644\n--- /dev/null\n+++ b//etc/x\n@@ -0,0 +1,1 @@\n+x\n',
    { path: '/etc/x', kind: 'add' },
  ],
])('%s becomes a git-style diff that names it', (_what, change, diff, file) => {
  expect(diffOfChanges([change], CWD)).toBe(diff);
  expect(filesOfDiff(diff)).toEqual([file]);
});

test('the files of a diff of several', () => {
  const diff = [
    'diff --git a/f.txt b/g.txt\nindex 1..2\n--- a/f.txt\n+++ b/g.txt\n@@ -1 +1 @@\n-one\n+two\n',
    'diff --git a/q.sql b/q.sql\n--- a/q.sql\t\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- drop\n+++ keep\n x\n',
    'diff --git a/empty b/empty\nnew file mode 100644\nindex 0..e\n',
  ].join('');
  expect(filesOfDiff(diff)).toEqual([
    { path: 'f.txt', kind: 'move', moved_to: 'g.txt' },
    { path: 'q.sql', kind: 'update' },
    { path: 'empty', kind: 'add' },
  ]);
  expect(filesOfDiff('')).toEqual([]);
});

test('ids and paths', () => {
  expect(diffId('conv_1', 't', 'h')).toBe('conv_1:t:h');
  expect([relativePath('/w/a', '/w'), relativePath('/w/a', '/w/'), relativePath('/wide/a', '/w')]).toEqual([
    'a',
    'a',
    '/wide/a',
  ]);
});
