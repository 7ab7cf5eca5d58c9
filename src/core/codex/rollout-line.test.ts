/** Which lines of a thread's file hold a user message. */
import { expect, test } from 'vitest';
import { userMessageOf } from './rollout-line.ts';

const line = (payload: unknown, type = 'response_item') =>
  JSON.stringify({ timestamp: '2026-11-18T01:03:47.868Z', ordinal: 15, type, payload });
const message = (role: string, ...texts: string[]) => ({
  type: 'message',
  role,
  content: texts.map((text) => ({ type: 'input_text', text })),
});

test('a user message is read with its time', () => {
  expect(userMessageOf(line(message('user', 'hello', 'there')))).toEqual({
    text: 'hello\nthere',
    atMs: Date.parse('2026-11-18T01:03:47.868Z'),
  });
});

test('other lines, and a line that a kill cut off, hold none', () => {
  expect(userMessageOf(line(message('assistant', 'a "user" said')))).toBeNull();
  expect(userMessageOf(line({ type: 'item_completed', role: 'user' }, 'event_msg'))).toBeNull();
  expect(userMessageOf(line(message('user', 'hello')).slice(0, -9))).toBeNull();
  expect(userMessageOf('')).toBeNull();
});
