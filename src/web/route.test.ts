/** The hash names a conversation, or nothing. */
import { expect, test } from 'vitest';
import { parsePlace, renderPlace } from './route.ts';

const id = `conv_${'0a'.repeat(16)}`;

test('a place survives the address bar', () => {
  expect(parsePlace(renderPlace({ conversationId: id }))).toEqual({ conversationId: id });
  expect(parsePlace(renderPlace({ conversationId: null }))).toEqual({ conversationId: null });
});

test('[PG136] so does one event, or one entry, of a conversation', () => {
  for (const kind of ['event', 'entry'] as const) {
    const place = { conversationId: id, at: { kind, seq: 12 } };
    expect(parsePlace(renderPlace(place))).toEqual(place);
  }
  expect(renderPlace({ conversationId: id, at: { kind: 'event', seq: 7 } })).toBe(`#/c/${id}/e/7`);
});

test.each(['', '#', '#/c/', '#/c/conv_1', `#/c/${id}/x`, `#/c/${id}/e/x`, `#/c/${id.toUpperCase()}`])(
  '%s is no conversation',
  (hash) => {
    expect(parsePlace(hash).conversationId).toBeNull();
  },
);
