/** Words behind an `@`, also of a post made to hold us up. */
import { expect, test } from 'vitest';
import { mentionWords } from './address.ts';

test.each([
  ['ask @worker.', ['worker']],
  ['@a-b... and @"two words"', ['a-b', 'two words']],
  ['mail a@b and `@code`', []],
])('[BD9] %j mentions %j', (text, words) => {
  expect(mentionWords(text)).toEqual(words);
});

test('[BD9] a word of any length is read at once', () => {
  const word = `a${'-'.repeat(1_000_000)}b`;
  expect(mentionWords(`@${word}--`)).toEqual([word]);
});
