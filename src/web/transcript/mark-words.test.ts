/** The changed part of a line. */
import { expect, test } from 'vitest';
import { changed, markWords } from './mark-words.ts';
import { parseDiff } from './parse-diff.ts';

test('the middle that differs', () => {
  expect(changed('const a = 1;', 'const a = 22;')).toEqual([
    { from: 10, to: 11 },
    { from: 10, to: 12 },
  ]);
  expect(changed('aaa', 'bbb')).toBeNull();
});

test('pairs removed lines with as many added ones', () => {
  const [file] = parseDiff('@@ -1,3 +1,3 @@\n-let x = 1\n-let y = 1\n+let x = 2\n+let y = 2\n same\n');
  const hunk = file?.hunks[0];
  expect(hunk && [...markWords(hunk).keys()].map((line) => line.text)).toEqual([
    'let x = 1',
    'let x = 2',
    'let y = 1',
    'let y = 2',
  ]);
});
