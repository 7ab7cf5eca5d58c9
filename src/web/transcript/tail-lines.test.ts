/** The end of an output. */
import { expect, test } from 'vitest';
import { tailLines } from './tail-lines.ts';

test.each([
  ['', 2, '', 0],
  ['\n', 2, '', 0],
  ['a', 2, 'a', 1],
  ['a\nb\n', 2, 'a\nb', 2],
  ['a\nb\nc\n', 2, 'b\nc', 3],
  ['a\n\n\n', 1, '', 3],
])('%j', (text, max, tail, total) => {
  expect(tailLines(text, max)).toEqual({ tail, total });
});
