/** The changed part of a line. */
import { expect, test } from 'vitest';
import { changed } from './mark-words.ts';

test('the middle that differs', () => {
  expect(changed('const a = 1;', 'const a = 22;')).toEqual([
    { from: 10, to: 11 },
    { from: 10, to: 12 },
  ]);
  expect(changed('aaa', 'bbb')).toBeNull();
});
