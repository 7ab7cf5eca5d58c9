/** Marks beside the lines. */
import { expect, test } from 'vitest';
import { layoutGutter, sameMarks } from './gutter.ts';

const view = { top: 10, rows: 5, cellHeight: 17.4 };
const at = (blockId: string, line: number) => ({ blockId, line });

test('[TP3] those in view, by line', () => {
  const marks = layoutGutter([at('c', 14), at('a', 9), at('b', 10), at('d', 15), at('gone', -1)], view);
  expect(marks).toEqual([
    { blockId: 'b', y: 0 },
    { blockId: 'c', y: 70 },
  ]);
});

test('one mark a line: the last begun', () => {
  expect(layoutGutter([at('a', 11), at('b', 11)], view)).toEqual([{ blockId: 'b', y: 17 }]);
});

test('nothing moved is the same array', () => {
  const before = layoutGutter([at('a', 11)], view);
  expect(sameMarks(before, layoutGutter([at('a', 11)], view))).toBe(before);
  expect(sameMarks(before, layoutGutter([at('a', 12)], view))).not.toBe(before);
});
