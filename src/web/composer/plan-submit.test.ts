/** Enter and the buttons. */
import { expect, test } from 'vitest';
import { enterMeans, planSubmit } from './plan-submit.ts';

const input = { text: 'hi', imageCount: 0, isRunning: false, wantsQueue: false };
const enter = { key: 'Enter', hasShift: false, hasControl: false, isComposing: false, isTouch: false };

test('what a message becomes', () => {
  expect(planSubmit(input)).toEqual({ act: 'message', mode: 'send' });
  expect(planSubmit({ ...input, wantsQueue: true })).toEqual({ act: 'message', mode: 'send' });
  expect(planSubmit({ ...input, isRunning: true })).toEqual({ act: 'message', mode: 'steer' });
  expect(planSubmit({ ...input, isRunning: true, wantsQueue: true })).toEqual({ act: 'message', mode: 'queue' });
  expect(planSubmit({ ...input, text: ' \n' })).toEqual({ act: 'none' });
  expect(planSubmit({ ...input, text: '', imageCount: 1 })).toEqual({ act: 'message', mode: 'send' });
});

test('a leading ! is a shell command, whatever runs', () => {
  expect(planSubmit({ ...input, text: '! ls -l ', isRunning: true })).toEqual({ act: 'shell', command: 'ls -l' });
  expect(planSubmit({ ...input, text: '!' })).toEqual({ act: 'none' });
});

test('Enter sends on a desktop and is a new line on a phone or while composing', () => {
  expect(enterMeans(enter)).toBe('submit');
  expect(enterMeans({ ...enter, hasControl: true })).toBe('queue');
  expect(enterMeans({ ...enter, hasShift: true })).toBe('newline');
  expect(enterMeans({ ...enter, isComposing: true })).toBe('newline');
  expect(enterMeans({ ...enter, isTouch: true })).toBe('newline');
  expect(enterMeans({ ...enter, key: 'a' })).toBe('nothing');
});
