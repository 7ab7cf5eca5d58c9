/** The event a post becomes is one the intake takes, whatever was posted. */
import { expect, test } from 'vitest';
import { type BoardMessage, MAX_POST_BYTES } from '../../contract/board.ts';
import { ExternalEventInput, MAX_EVENT_BYTES } from '../../contract/external-event.ts';
import { byteLength } from '../text/bytes.ts';
import { eventOfPost } from './board-event.ts';

const POST: BoardMessage = {
  num: 7,
  ts: '2026-01-01T00:00:01.000Z',
  who: 'Scout',
  kind: 'conversation',
  conversation_id: `conv_${'a'.repeat(32)}`,
  message: 'the build is red',
  topic: null,
  reply_to: 3,
  to: null,
  mentions: [],
  for: [],
  hops: 2,
};
const TO = { id: 'board-7-x', threadId: '01a1e140-931d-7181-af3b-73f1157d5f32', source: 'board' };

test('it names who wrote, what they wrote and which post it answers', () => {
  expect(eventOfPost(POST, TO)).toEqual({
    schema_version: 1,
    event_id: 'board-7-x',
    time_unix_ms: Date.parse(POST.ts),
    type: 'agent.message',
    source: { name: 'board' },
    routing: { thread_id: TO.threadId, hops: 2 },
    title: 'Scout on the board',
    summary: 'the build is red',
    payload: { from: { name: 'Scout', kind: 'conversation' }, num: 7, reply_to: 3 },
  });
});

test('the longest post that was passed on most often fits into an envelope', () => {
  const message = '\u{10ffff}'.repeat(MAX_POST_BYTES / 4);
  const event = eventOfPost({ ...POST, message, hops: 1_000_000 }, TO);
  expect(ExternalEventInput.safeParse(event).error).toBeUndefined();
  expect(byteLength(JSON.stringify(event))).toBeLessThanOrEqual(MAX_EVENT_BYTES);
});
