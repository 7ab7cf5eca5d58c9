/** Patterns that match, that do not, and that would never end. */
import { expect, test } from 'vitest';
import { createPatientPattern } from './patient-pattern.ts';

test.each([
  [/b+/, 'abc', true],
  [/^b/m, 'a\nb', true],
  [/z/, 'abc', false],
  [/(a+)+$/, `${'a'.repeat(60)}!`, null],
])('[MC13] %s in %j: %s', (pattern, text, answer) => {
  const matches = createPatientPattern(pattern, 500);
  expect(matches(text)).toBe(answer);
});

test('[MC13] after a text that took too long the next one is gone through', () => {
  const matches = createPatientPattern(/(a+)+$/, 500);
  expect([matches(`${'a'.repeat(60)}!`), matches('aa')]).toEqual([null, true]);
});
