/** What the board's panel holds. */
import { expect, test } from 'vitest';
import type { BoardMessage } from '../../contract/board.ts';
import { MAX_HELD, mergeMessages, takeFrame } from './merge-messages.ts';

const message = (num: number): BoardMessage => ({
  num,
  ts: '2026-01-01T00:00:00.000Z',
  who: 'ann',
  kind: 'person',
  conversation_id: null,
  message: `${num}`,
  topic: null,
  reply_to: null,
  to: null,
  mentions: [],
  for: [],
  hops: 0,
});
const nums = (held: readonly BoardMessage[]) => held.map(({ num }) => num);

test('pages and frames overlap without doubling', () => {
  const held = mergeMessages([message(3), message(4)], [message(2), message(3)]);
  expect(nums(held)).toEqual([2, 3, 4]);
  expect(nums(takeFrame(held, { type: 'message', message: message(5) }))).toEqual([2, 3, 4, 5]);
  expect(nums(takeFrame(held, { type: 'deleted', num: 3 }))).toEqual([2, 4]);
  expect(takeFrame(held, { type: 'hello', last_num: 9 })).toBe(held);
  expect(mergeMessages(held, [])).toBe(held);
});

test('what is held is bounded', () => {
  const many = Array.from({ length: MAX_HELD + 10 }, (_one, at) => message(at + 1));
  expect(takeFrame(many, { type: 'message', message: message(MAX_HELD + 11) })).toHaveLength(MAX_HELD);
});
