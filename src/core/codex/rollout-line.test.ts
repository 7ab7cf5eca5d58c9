/** Which lines of a thread's file hold a user message. */
import { expect, test } from 'vitest';
import { taskOf, userMessageOf } from './rollout-line.ts';

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

const task = (...content: readonly object[]) =>
  line({ type: 'agent_message', author: '/root', recipient: '/root/a', content });
const HEAD = { type: 'input_text', text: 'Message Type: NEW_TASK\nTask name: /root/a\nSender: /root\nPayload:\n' };
const sealed = (encrypted_content: string) => ({ type: 'encrypted_content', encrypted_content });

test('[PG360] the task of a sub-agent is read where it is plain, and called unreadable where it is encrypted', () => {
  expect(taskOf(task(HEAD, sealed('Count the files')), '/root/a')).toEqual(['Count the files']);
  expect(taskOf(task(HEAD, { type: 'input_text', text: 'plain' }), '/root/a')).toEqual(['plain']);
  expect(taskOf(task(HEAD, sealed(`gAAAAA${'Bc-_9'.repeat(40)}==`)), '/root/a')).toEqual([null]);
});

test('[PG360] a task of another sub-agent, an answer, and a line that a kill cut off, are none', () => {
  expect(taskOf(task(HEAD, sealed('Count')), '/root/b')).toEqual([]);
  expect(taskOf(task({ ...HEAD, text: 'Message Type: FINAL_ANSWER\nPayload:\ndone' }), '/root/a')).toEqual([]);
  expect(taskOf(task(HEAD, sealed('NEW_TASK')).slice(0, -9), '/root/a')).toEqual([]);
});
