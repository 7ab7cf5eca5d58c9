/** Hunks of a patch, with files whose last line has no line feed, empty files, and bytes that are no text. */
import { expect, test } from 'vitest';
import { parseFilePatch, patchOfHunks, withoutHunks } from './hunks.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const text = (found: Uint8Array | null) => (found === null ? null : Buffer.from(found).toString('latin1'));
const HEAD = 'diff --git a/x b/x\nold mode 100644\nnew mode 100755\nindex 1..2 100644\n--- a/x\n+++ b/x\n';
const TWO = `${HEAD}@@ -1,2 +1,3 @@ name\n one\n+\xff\n two\n@@ -10,2 +11 @@\n-ten\n eleven\n\\ No newline at end of file\n`;

function patchOf(source: string) {
  const patch = parseFilePatch(bytes(source));
  if (patch === null) throw new Error('no patch');
  return patch;
}

test('[CH101] one hunk leaves the other and the change of the mode out, and its line numbers fit the index', () => {
  const patch = patchOf(TWO);
  expect(patch.hunks.map(({ oldStart, newStart, newLines }) => [oldStart, newStart, newLines])).toEqual([
    [1, 1, 3],
    [10, 11, 1],
  ]);
  const header = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n';
  const last = '-ten\n eleven\n\\ No newline at end of file\n';
  expect(text(patchOfHunks(patch, new Set([1]), 'old'))).toBe(`${header}@@ -10,2 +10,1 @@\n${last}`);
  expect(text(patchOfHunks(patch, new Set([1]), 'new'))).toBe(`${header}@@ -11,2 +11,1 @@\n${last}`);
  expect(text(patchOfHunks(patch, new Set([0, 1]), 'old'))).toContain(`@@ -10,2 +11,1 @@\n${last}`);
});

test('[CH101] lines are put back as they were, byte for byte, or not at all', () => {
  const { hunks } = patchOf(TWO);
  const middle = 'l\n'.repeat(7);
  const now = bytes(`one\n\xff\ntwo\n${middle}eleven`);
  expect(text(withoutHunks(now, hunks, new Set([0])))).toBe(`one\ntwo\n${middle}eleven`);
  expect(text(withoutHunks(now, hunks, new Set([1])))).toBe(`one\n\xff\ntwo\n${middle}ten\neleven`);
  expect(text(withoutHunks(now, hunks, new Set([0, 1])))).toBe(`one\ntwo\n${middle}ten\neleven`);
  expect(withoutHunks(bytes('other\n'), hunks, new Set([0]))).toBeNull();
  // The last line got a line feed since.
  expect(withoutHunks(bytes(`one\n\xff\ntwo\n${middle}eleven\n`), hunks, new Set([1]))).toBeNull();
});

test('[CH101] a file that became empty, and one that was empty, have one hunk each', () => {
  const emptied = patchOf('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +0,0 @@\n-a\n-b\n');
  expect(text(withoutHunks(bytes(''), emptied.hunks, new Set([0])))).toBe('a\nb\n');
  expect(text(patchOfHunks(emptied, new Set([0]), 'old'))).toContain('@@ -1,2 +0,0 @@\n-a');
  const filled = patchOf('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n');
  expect(text(withoutHunks(bytes('a\nb\n'), filled.hunks, new Set([0])))).toBe('');
  expect(text(patchOfHunks(filled, new Set([0]), 'new'))).toContain('@@ -0,0 +1,2 @@\n+a');
});

test('[CH101] new, deleted, binary files and changes of kind are taken as a whole; a merge has no hunks', () => {
  for (const line of ['new file mode 100644', 'deleted file mode 100644', 'Binary files a/x and b/x differ'])
    expect(patchOf(`diff --git a/x b/x\n${line}\n`).isWhole).toBe(true);
  expect(patchOf(`${HEAD}${HEAD}`).isWhole).toBe(true);
  expect(parseFilePatch(bytes('diff --cc x\n@@@ -1,1 -1,1 +1,5 @@@\n++<<<<<<< HEAD\n'))).toBeNull();
  expect(parseFilePatch(bytes(''))).toBeNull();
});
