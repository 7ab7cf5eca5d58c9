/** What of a text is taken for an escape sequence. */
import { expect, test } from 'vitest';
import { ESCAPE_SEQUENCE, withoutEscapes } from './escape-sequences.ts';

test.each([
  ['a color', 'a\x1b[1;31mb', 'ab'],
  ['a color with colons', 'a\x1b[38:5:1mb', 'ab'],
  ['an 8-bit control sequence', 'a\x9b31mb', 'ab'],
  ['a cursor move', 'a\x1b[2J\x1b[1;1Hb', 'ab'],
  ['an unfinished control sequence', 'a\x1b[1;3', 'a'],
  ['a title ended by BEL', 'a\x1b]0;title\x07b', 'ab'],
  ['a link ended by ST', '\x1b]8;;x:y\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['a title ended by CAN', 'a\x1b]0;title\x18b', 'ab'],
  ['a title broken off by another sequence', 'a\x1b]0;title\x1b[0mb', 'ab'],
  ['a title that never ends', 'a\x1b]0;title', 'a'],
  ['a device control string with a BEL in it', 'a\x1bP+q\x07544e\x1b\\b', 'ab'],
  ['an application command', 'a\x1b_x\x1b\\b', 'ab'],
  ['an 8-bit title', 'a\x9d0;t\x9cb', 'ab'],
  ['a charset', 'a\x1b(Bb', 'ab'],
  ['a reset', 'a\x1bcb', 'ab'],
  ['a last escape', 'a\x1b', 'a'],
])('%s goes whole', (_name, text, rest) => {
  expect(withoutEscapes(text)).toBe(rest);
});

test('a C1 character in wrongly decoded text takes nothing with it', () => {
  expect(withoutEscapes('â\x80\x9dquotedâ\x80\x9d and more')).toBe('â\x80\x9dquotedâ\x80\x9d and more');
});

test('the parameters and the final byte of a control sequence are given', () => {
  const [first, second] = [...'\x1b[1;31mx\x1b]0;t\x07'.matchAll(ESCAPE_SEQUENCE)];
  expect([first?.[1], first?.[2], second?.[2]]).toEqual(['1;31', 'm', undefined]);
});

test('a million beginnings of sequences are read at once', () => {
  for (const unit of ['\x1b[', '\x1b]', '\x1bP', '\x1b', '\x9b'])
    expect(withoutEscapes(`${unit.repeat(1_000_000)}\x18end`).endsWith('end')).toBe(true);
  const halves = '\x9d\x90'.repeat(500_000);
  expect(withoutEscapes(halves)).toBe(halves);
});
