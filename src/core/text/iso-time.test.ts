/** Times as RFC 3339 writes them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime, parseIsoTime } from './iso-time.ts';

test('[EV1] times are written and read as everybody writes and reads them', () => {
  const usual = fc.integer({ min: Date.parse('0000-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59Z') });
  fc.assert(fc.property(usual, (ms) => parseIsoTime(new Date(ms).toISOString()) === ms));
  expect(parseIsoTime('2026-11-16T10:00:00+02:30')).toBe(Date.parse('2026-11-16T10:00:00+02:30'));
  expect(parseIsoTime('2026-11-16T10:00:00.5-00:30')).toBe(Date.parse('2026-11-16T10:00:00.500-00:30'));
  for (const text of ['yesterday', '2026-13-01T00:00:00Z', '2026-01-01', '1762']) expect(parseIsoTime(text)).toBeNull();
  expect(parseIsoTime('2026-02-31T00:00:60Z')).toBe(Date.parse('2026-03-03T00:01:00Z'));
  expect(parseIsoTime('2026-11-16T10:00:00')).toBeNull();
});

test('a time that no Date can hold is written as the last one', () => {
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(isoTime(Number.MAX_SAFE_INTEGER)).toBe('+275760-09-13T00:00:00.000Z');
  expect(isoTime(Number.MIN_SAFE_INTEGER)).toBe('-271821-04-20T00:00:00.000Z');
});
