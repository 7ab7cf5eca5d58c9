/** Mentions in a text. */
import { expect, test } from 'vitest';
import { mentionsIn, renderMention, tokenRanges, typedMention, wholeBefore } from './mention-token.ts';

test('the mention being typed ends at the caret', () => {
  expect(typedMention('see @src/pa', 11)).toEqual({ start: 4, end: 11, query: 'src/pa' });
  expect(typedMention('@', 1)).toEqual({ start: 0, end: 1, query: '' });
  expect(typedMention('see @src/path.ts now', 8)).toEqual({ start: 4, end: 16, query: 'src' });
});

test('an address, a finished word and a quoted path are not being typed', () => {
  expect(typedMention('me@example.com', 14)).toBeNull();
  expect(typedMention('@a b', 4)).toBeNull();
  expect(typedMention('@"a b"', 6)).toBeNull();
  expect(typedMention('plain', 5)).toBeNull();
});

test('only known mentions are tokens', () => {
  const known = new Set(['@a.ts', '@"b c.md"']);
  expect(tokenRanges('x @a.ts and @"b c.md" and @z.ts', known)).toEqual([
    { start: 2, end: 7 },
    { start: 12, end: 21 },
  ]);
  expect(tokenRanges('@a.tsx', known)).toEqual([]);
});

test('Backspace takes a mention whole, with its space', () => {
  const known = new Set(['@a.ts']);
  expect(wholeBefore('x @a.ts ', 8, known)).toEqual({ start: 2, end: 8 });
  expect(wholeBefore('x @a.ts', 7, known)).toEqual({ start: 2, end: 7 });
  expect(wholeBefore('x @a.ts', 5, known)).toBeNull();
  expect(wholeBefore('x @b.ts', 7, known)).toBeNull();
});

test('a saved text brings its mentions along', () => {
  expect(mentionsIn('see @a.ts and @"b c.md", not me@x.org')).toEqual(['@a.ts', '@"b c.md"']);
  expect(renderMention('b c.md')).toBe('@"b c.md"');
});
