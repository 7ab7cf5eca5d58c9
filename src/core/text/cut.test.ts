/** Cuts that keep both ends and whole characters. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutMiddle, firstLine, MAX_OUTPUT_CHARS } from './cut.ts';

test('a short text stays as it is', () => {
  expect(cutMiddle('abc', 3)).toEqual({ text: 'abc', omitted: 0 });
  expect(cutMiddle('x'.repeat(MAX_OUTPUT_CHARS)).omitted).toBe(0);
});

test('[L7] a long text keeps its head and tail and says how much is gone', () => {
  expect(cutMiddle('0123456789', 4)).toEqual({ text: '01\n… 6 characters omitted …\n89', omitted: 6 });
  expect(cutMiddle('x'.repeat(MAX_OUTPUT_CHARS + 1)).omitted).toBe(1);
});

test('no cut splits a character, and head, gap and tail add up', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '😀', 'é', '汉'), minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 20 }), (text, max) => {
      const { text: short, omitted } = cutMiddle(text, max);
      expect(short.isWellFormed()).toBe(true);
      expect(firstLine(text, max).isWellFormed()).toBe(true);
      const [head = '', tail = ''] = short.split(/\n… \d+ characters omitted …\n/);
      if (omitted > 0) expect(head.length + omitted + tail.length).toBe(text.length);
      if (omitted > 0) expect([text.startsWith(head), text.endsWith(tail)]).toEqual([true, true]);
      if (omitted > 0) expect(head.length + tail.length).toBeLessThanOrEqual(max);
      expect(firstLine(text, max).length).toBeLessThanOrEqual(max);
    }),
  );
});

test('the first line of a text is its first that is not blank', () => {
  expect(firstLine('\n  one\ntwo', 10)).toBe('one');
  expect(firstLine('', 10)).toBe('');
  expect(firstLine('0123456789', 5)).toBe('0123…');
});
