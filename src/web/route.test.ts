/** The hash names a conversation, or nothing. */
import { expect, test } from 'vitest';
import { parsePlace, renderPlace } from './route.ts';

const id = `conv_${'0a'.repeat(16)}`;

test('a place survives the address bar', () => {
  expect(parsePlace(renderPlace({ conversationId: id }))).toEqual({ conversationId: id });
  expect(parsePlace(renderPlace({ conversationId: null }))).toEqual({ conversationId: null });
});

test.each(['', '#', '#/c/', '#/c/conv_1', `#/c/${id}/x`, `#/c/${id.toUpperCase()}`])(
  '%s is no conversation',
  (hash) => {
    expect(parsePlace(hash).conversationId).toBeNull();
  },
);
