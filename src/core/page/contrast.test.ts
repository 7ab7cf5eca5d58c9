/** Contrast of colors. */
import { expect, test } from 'vitest';
import { contrastOf } from './contrast.ts';

test('[PG243] contrast is measured as WCAG defines it', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
  expect(contrastOf('#fff', '#000')).toBe(21);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastOf('#6b3fe0', '#6B3FE0')).toBe(1);
});
