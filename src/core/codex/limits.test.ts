/** The rate limits of the account, as Codex tells them. */
import { expect, test } from 'vitest';
import { readLimits } from './limits.ts';

const EMPTY = { limitId: null, primary: null, secondary: null, credits: null, rateLimitReachedType: null };

test('[CX31] each window of the limits is read; what cannot be shown is nothing', () => {
  const primary = { usedPercent: 42, windowDurationMins: 300, resetsAt: 1_800_000_000 };
  const secondary = { usedPercent: 7.5, windowDurationMins: null, resetsAt: null };
  expect(readLimits({ ...EMPTY, primary, secondary })).toEqual({
    windows: [
      { used_percent: 42, window_minutes: 300, resets_at_ms: 1_800_000_000_000 },
      { used_percent: 7.5, window_minutes: null, resets_at_ms: null },
    ],
    reached: null,
  });
  expect(readLimits({ ...EMPTY, rateLimitReachedType: 'rate_limit_reached' })).toEqual({
    windows: [],
    reached: 'rate_limit_reached',
  });
  for (const nothing of [EMPTY, null, undefined, 'none', { primary: { usedPercent: 'much' } }, { primary: [] }])
    expect(readLimits(nothing)).toBeNull();
});
