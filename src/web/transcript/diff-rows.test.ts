/** The rows of a diff, unified and side by side, and the window over them. */
import { expect, test } from 'vitest';
import { longestLine, quoteLine, rowsOf } from './diff-rows.ts';
import { parseDiff } from './parse-diff.ts';
import { windowAt } from './use-window.ts';

const [file] = parseDiff(
  '--- a/x.ts\n+++ b/x.ts\n@@ -1,3 +1,4 @@ top\n-let x = 1\n+let x = 2\n same\n-gone\n+new\n+newer\n',
);
if (file === undefined) throw new Error('no file');

const shown = (isSplit: boolean) =>
  rowsOf(file, isSplit).map((row) => {
    if (row.kind === 'hunk') return row.header;
    if (row.kind === 'line') return `${row.cell.line.text}/${row.cell.mate?.text ?? ''}`;
    return `${row.left?.line.text ?? ''}|${row.right?.line.text ?? ''}`;
  });

test('unified: mates only where as many came as went', () => {
  expect(shown(false)).toEqual([
    'top',
    'let x = 1/let x = 2',
    'let x = 2/let x = 1',
    'same/',
    'gone/',
    'new/',
    'newer/',
  ]);
});

test('side by side', () => {
  expect(shown(true)).toEqual(['top', 'let x = 1|let x = 2', 'same|same', 'gone|new', '|newer']);
});

test('[CV22] a hunk is headed by its lines before and after', () => {
  const placesOf = (diff: string) =>
    parseDiff(diff).flatMap((one) => rowsOf(one, false).flatMap((row) => (row.kind === 'hunk' ? [row.place] : [])));
  const two = '--- a/x\n+++ b/x\n@@ -6,3 +6,3 @@\n a\n-b\n+c\n d\n@@ -20 +20,2 @@ f()\n e\n+g\n';
  expect(placesOf(two)).toEqual(['Lines 6–8 → 6–8', 'Lines 20 → 20–21']);
  expect(placesOf('--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n')).toEqual(['Lines 1–2']);
  expect(placesOf('--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n')).toEqual(['Lines 1']);
});

test('width and quotation', () => {
  expect(longestLine(file)).toBe(9);
  const line = file.hunks[0]?.lines[1];
  expect(line && quoteLine('x.ts', line)).toBe('> x.ts:1\n> `let x = 2`\n\n');
});

test('a window never leaves the rows', () => {
  expect(windowAt(0, 560, 19, 10)).toEqual([0, 10]);
  const [first, last] = windowAt(19 * 4_990, 560, 19, 5_000);
  expect(first).toBeLessThan(4_970);
  expect(last).toBe(5_000);
});
