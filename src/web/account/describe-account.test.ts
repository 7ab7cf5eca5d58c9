/** Words for an account. */
import { expect, test } from 'vitest';
import { describeAccount, describeLimits, isSafeLink } from './describe-account.ts';

test('what Codex says, in words', () => {
  expect(describeAccount({ type: 'chatgpt', email: 'a@b.c', planType: 'plus' })).toBe('Signed in as a@b.c · plus');
  expect(describeAccount({ type: 'apiKey' })).toBe('Signed in with an API key');
  expect(describeAccount(null)).toBe('Codex is signed in.');
  expect(describeAccount({ type: 'chatgpt', email: null })).toBe('Codex is signed in.');
});

test('only https is a link', () => {
  expect(isSafeLink('https://auth.openai.com/codex/device')).toBe(true);
  expect(isSafeLink('javascript:alert(1)')).toBe(false);
  expect(isSafeLink('nonsense')).toBe(false);
});

test('[CX31] limits are told by the length of their window, the reached one also in brief', () => {
  const limits = {
    windows: [
      { used_percent: 41.6, window_minutes: 300, resets_at_ms: null },
      { used_percent: 7, window_minutes: 10_080, resets_at_ms: 1_800_000_000_000 },
      { used_percent: 1, window_minutes: 45, resets_at_ms: null },
      { used_percent: 0, window_minutes: null, resets_at_ms: null },
    ],
    reached: 'rate_limit_reached',
  };
  const [hours, days, ...rest] = describeLimits(limits);
  expect(hours).toBe('5-hour limit: 42 % used');
  expect(days).toMatch(/^7-day limit: 7 % used, resets .*2027/);
  expect(rest).toEqual([
    '45-minute limit: 1 % used',
    'Usage limit: 0 % used',
    'A limit of your account is reached (rate limit reached).',
  ]);
  expect(describeLimits(limits, true)).toEqual(['A limit of your account is reached (rate limit reached).']);
  expect(describeLimits(null)).toEqual([]);
});
