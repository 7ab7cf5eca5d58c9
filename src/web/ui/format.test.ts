/** Words for times and paths. */
import { expect, test } from 'vitest';
import { formatAgo, formatDuration, middleCut, projectName } from './format.ts';

test('[PG123] durations; what takes less than a millisecond is not said to take none', () => {
  expect([0, 0.2, 12, 4_230, 12_400, 61_000, 3_660_000].map(formatDuration)).toEqual([
    'under 1 ms',
    'under 1 ms',
    '12 ms',
    '4.2 s',
    '12 s',
    '1 m 1 s',
    '1 h 1 m',
  ]);
});

test('how long ago', () => {
  const now = Date.parse('2026-01-02T00:00:00Z');
  expect(formatAgo('2026-01-01T23:59:50Z', now)).toBe('now');
  expect(formatAgo('2026-01-01T21:00:00Z', now)).toBe('3 h');
  expect(formatAgo('nonsense', now)).toBe('');
});

test('a long path keeps its end', () => {
  expect(middleCut('/home/me/work/very/deep/src/path.rs', 20)).toBe('/home/me/wo…/path.rs');
  expect(middleCut('/a/b', 20)).toBe('/a/b');
  expect(middleCut('/home/me/work/very/deep/src/path.rs', 20).length).toBeLessThanOrEqual(20);
});

test('project names', () => {
  expect(['/home/me/x/', '/', '/a'].map(projectName)).toEqual(['x', '/', 'a']);
});
