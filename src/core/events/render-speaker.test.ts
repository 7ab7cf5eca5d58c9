/** Messages for events are not taken for a person's. */
import { expect, test } from 'vitest';
import { eventMessageId, speakerOf } from './render-speaker.ts';

test('[EP7] a message for an event is known by its id', () => {
  expect([eventMessageId('steer', 'a'), eventMessageId('turn', 'b')].map(speakerOf)).toEqual(['event', 'event']);
  expect(['0b1c9a3e-7a52-4a51-9d5f-000000000000', 'an-event-turn-1', undefined].map(speakerOf)).toEqual([
    'person',
    'person',
    'person',
  ]);
});
