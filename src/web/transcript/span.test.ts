/** The window over the rows. */
import { expect, test } from 'vitest';
import { MAX_MOUNTED, spanAtEnd, spanFrom, startAfter, startBefore } from './span.ts';

test('at the end never more than the maximum is mounted, and the end always is', () => {
  for (let total = 0; total < 1000; total++) {
    const { start, end } = spanAtEnd(total);
    expect(end).toBe(total);
    expect(end - start).toBeLessThanOrEqual(MAX_MOUNTED);
    expect(end - start).toBeGreaterThanOrEqual(Math.min(total, MAX_MOUNTED - 40));
  }
});

test('walking up and down covers every row', () => {
  const total = 500;
  let start = spanAtEnd(total).start;
  while (start > 0) start = startBefore(start);
  expect(start).toBe(0);
  for (let n = 0; n < 50; n++) start = startAfter(start, total);
  expect(spanFrom(start, total).end).toBe(total);
});
