/** [CL33] What a mistyped command suggests. */
import { expect, test } from 'vitest';
import { closestWord } from './closest-word.ts';

const KNOWN = ['serve', 'doctor', 'open', 'status', 'stop', 'conversations', 'events', 'shells', 'board'];

test.each([
  ['sevre', 'serve'],
  ['opne', 'open'],
  ['conversation', 'conversations'],
  ['convers', 'conversations'],
  ['evnts', 'events'],
  ['statsu', 'status'],
])('[CL33] %s suggests %s', (typed, word) => {
  expect(closestWord(typed, KNOWN)).toBe(word);
});

test.each(['frob', 'x', '', 'something-else'])('[CL33] %j suggests nothing', (typed) => {
  expect(closestWord(typed, KNOWN)).toBeNull();
});
