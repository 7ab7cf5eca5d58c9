/** How two conversations share a window. */
import { expect, test } from 'vitest';
import { placeBeside } from './pane-width.ts';

test('[PG377] each has half at first, and never less than 400 px', () => {
  expect(placeBeside(1200, 0)).toEqual({ room: 1200, width: 600, max: 800 });
  expect(placeBeside(1200, 100).width).toBe(400);
  expect(placeBeside(1200, 5000).width).toBe(800);
  expect(placeBeside(800, 600)).toEqual({ room: 800, width: 400, max: 400 });
});
