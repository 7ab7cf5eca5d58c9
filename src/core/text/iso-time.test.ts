/** Our own arithmetic agrees with the platform's. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime, parseIsoTime } from './iso-time.ts';

test('[EV1] times are written and read as everybody writes and reads them', () => {
  const times = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 });
  fc.assert(fc.property(times, (ms) => isoTime(ms) === new Date(ms).toISOString()));
  const usual = fc.integer({ min: Date.parse('0000-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59Z') });
  fc.assert(fc.property(usual, (ms) => parseIsoTime(new Date(ms).toISOString()) === ms));
  expect(parseIsoTime('2026-11-16T10:00:00+02:30')).toBe(Date.parse('2026-11-16T10:00:00+02:30'));
  expect(parseIsoTime('2026-11-16T10:00:00.5-00:30')).toBe(Date.parse('2026-11-16T10:00:00.500-00:30'));
  for (const text of ['yesterday', '2026-13-01T00:00:00Z', '2026-01-01', '1762']) expect(parseIsoTime(text)).toBeNull();
});
