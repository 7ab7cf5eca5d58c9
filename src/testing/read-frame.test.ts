/** The check of frames finds those that the contract does not allow. */
import { expect, test } from 'vitest';
import { readFrame } from './read-frame.ts';

const ID = `conv_${'0'.repeat(32)}`;
const STAMP = { seq: 3, ts: '2026-01-01T00:00:00.000Z' };
const NOTE = { role: 'warning', text: 'careful' };

test.each([
  { type: 'account' },
  { type: 'conversation', deleted: ID },
  { type: 'synchronized', conversation_id: ID, seq: 3 },
  { type: 'refused', code: 'unknown_conversation', message: 'no' },
  { type: 'assistant_delta', conversation_id: ID, after: 1, item_id: 'i', turn_id: 't', offset: 0, delta: 'x' },
  { type: 'warning', conversation_id: ID, seq: 3, entry: { ...STAMP, ...NOTE } },
])('%j is one', (frame) => {
  expect(readFrame(JSON.stringify(frame))).toEqual(frame);
});

test.each([
  { type: 'from_the_future' },
  { type: 'conversation' },
  { type: 'synchronized', conversation_id: ID },
  { type: 'assistant_delta', conversation_id: ID, after: 1, item_id: 'i', turn_id: 't', offset: '0', delta: 'x' },
  { type: 'warning', conversation_id: ID, seq: 3, entry: { ...STAMP, role: 'warning' } },
])('%j is none', (frame) => {
  expect(() => readFrame(JSON.stringify(frame))).toThrow('not a frame of the contract');
});
