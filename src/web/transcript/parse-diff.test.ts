/** Files, numbers and counts of a unified diff. */
import { expect, test } from 'vitest';
import { parseDiff } from './parse-diff.ts';

const DIFF = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@ function a()
 one
-two
+2
+2.5
 three
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,1 @@
+hello
\\ No newline at end of file
diff --git a/old.md b/moved.md
rename from old.md
rename to moved.md
`;

test('files with their kind and counts', () => {
  expect(parseDiff(DIFF).map(({ path, from, kind, added, removed }) => [path, from, kind, added, removed])).toEqual([
    ['src/a.ts', null, 'update', 2, 1],
    ['new.txt', null, 'add', 1, 0],
    ['moved.md', 'old.md', 'move', 0, 0],
  ]);
});

test('lines carry both numbers', () => {
  expect(parseDiff(DIFF)[0]?.hunks[0]).toMatchObject({
    header: 'function a()',
    lines: [
      { type: 'same', oldLine: 1, newLine: 1, text: 'one' },
      { type: 'del', oldLine: 2, newLine: null, text: 'two' },
      { type: 'add', oldLine: null, newLine: 2, text: '2' },
      { type: 'add', oldLine: null, newLine: 3, text: '2.5' },
      { type: 'same', oldLine: 3, newLine: 4, text: 'three' },
    ],
  });
  expect(parseDiff(DIFF)[1]?.hunks[0]?.lines.at(-1)).toMatchObject({ type: 'note' });
});

test('a removed line that looks like a header is a removed line', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n--- old\n same\n';
  expect(parseDiff(diff)[0]?.hunks[0]?.lines).toMatchObject([{ type: 'del', text: '-- old' }, { type: 'same' }]);
});

test('bare hunks make one file', () => {
  expect(parseDiff('@@ -1 +1 @@\n-a\n+b\n')).toMatchObject([{ path: '', added: 1, removed: 1 }]);
});
