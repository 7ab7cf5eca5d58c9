/** What widths the drawer takes. */
import { expect, test } from 'vitest';
import { boundWidth, DEFAULT_DRAWER_WIDTH, MAX_DRAWER_WIDTH, MIN_DRAWER_WIDTH } from './drawer-width.ts';

test('[PG40] a width is kept within what leaves both sides readable', () => {
  expect([0, 400.4, 5_000, Number.NaN].map(boundWidth)).toEqual([
    MIN_DRAWER_WIDTH,
    400,
    MAX_DRAWER_WIDTH,
    DEFAULT_DRAWER_WIDTH,
  ]);
});
