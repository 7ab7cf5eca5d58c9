/** [CL32] Times of lists are local and name their offset. */
import { afterEach, expect, test } from 'vitest';
import { localTime } from './local-time.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test.each([
  ['Pacific/Auckland', '2026-11-18 23:04 +13:00'],
  ['UTC', '2026-11-18 10:04 +00:00'],
  ['America/St_Johns', '2026-11-18 06:34 -03:30'],
])('[CL32] in %s', (name, shown) => {
  process.env.TZ = name;
  expect(localTime('2026-11-18T10:04:09.123Z')).toBe(shown);
  expect(localTime('2026-11-18T10:04:09.123Z', 'seconds')).toBe(shown.replace(' +', ':09 +').replace(' -', ':09 -'));
});

test('[CL32] what is no time is shown as it is', () => {
  expect(localTime('soon')).toBe('soon');
});
