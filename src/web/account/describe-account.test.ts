/** Words for an account. */
import { expect, test } from 'vitest';
import { describeAccount, isSafeLink } from './describe-account.ts';

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
