/** [R3] Colors stay, everything else a terminal would obey goes or is made visible. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAnsi, showExact, stripAnsi } from './ansi.ts';

test('colors and weight', () => {
  expect(parseAnsi('a\x1b[1;31mb\x1b[0mc')).toMatchObject([
    { text: 'a', style: { fg: null, isBold: false } },
    { text: 'b', style: { fg: 1, isBold: true } },
    { text: 'c', style: { fg: null, isBold: false } },
  ]);
  expect(parseAnsi('\x1b[38;5;196mx\x1b[38;2;1;2;3my\x1b[92mz').map((span) => span.style.fg)).toEqual([
    '#ff0000',
    '#010203',
    10,
  ]);
});

test.each([
  ['OSC 52', 'a\x1b]52;c;ZXZpbA==\x07b', 'ab'],
  ['OSC 8 link', '\x1b]8;;javascript:alert(1)\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['8-bit CSI', 'a\x9b31mb', 'ab'],
  ['8-bit OSC', 'a\x9d0;t\x9cb', 'ab'],
  ['unterminated OSC', 'a\x1b]0;title', 'a'],
  ['DCS', 'a\x1bP+q544e\x1b\\b', 'ab'],
  ['APC', 'a\x1b_x\x1b\\b', 'ab'],
  ['cursor movement', 'a\x1b[2J\x1b[1;1Hb', 'ab'],
  ['charset', 'a\x1b(Bb', 'ab'],
  ['lone CR', 'safe\rEVIL', 'safe␍EVIL'],
  ['CRLF', 'a\r\nb', 'a\nb'],
  ['bidi', 'a\u202eb', 'a⟨U+202E⟩b'],
  ['C0', 'a\x00\x08\x7fb\tc', 'ab\tc'],
])('%s', (_, input, output) => {
  expect(stripAnsi(input)).toBe(output);
});

test('no input leaves a control character', () => {
  const nasty = fc.array(
    fc.constantFrom('\x1b', '[', ']', ';', '3', 'm', '\x9b', '\x9d', '\x07', '\\', 'P', 'x', '\r', '\n', '\u202e'),
  );
  fc.assert(
    fc.property(nasty, (parts) => {
      expect(stripAnsi(parts.join(''))).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    }),
  );
});

test('ten megabytes of escapes do not hang', () => {
  expect(stripAnsi('\x1b['.repeat(500_000))).toBe('');
});

test('the exact command shows what does not print', () => {
  expect(showExact('rm \u202e-rf\x1b[2K\na\tb')).toBe('rm \\u202e-rf\\x1b[2K\na\tb');
});
