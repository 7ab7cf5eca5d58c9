/** [PG62] What a request would run: all of it visible, nothing pushed away. */
import { expect, test } from 'vitest';
import { showExact, showName } from './ansi.ts';
import { exactJson, isLong, readExact, showCommand } from './exact-text.ts';

test.each([
  ['a command', 'git status', 'git status'],
  ['two empty lines', 'a\n\n\nb\n', 'a\n\n\nb\n'],
  ['many empty lines', `git status${'\n'.repeat(61)}rm -rf ~`, 'git status\n⋯ 60 empty lines\nrm -rf ~'],
  ['empty lines of blanks', `a\n${'  \t \n'.repeat(50)}b`, 'a\n⋯ 50 empty lines\nb'],
  ['empty lines at the end', `a\n${'\n'.repeat(9)}`, 'a\n⋯ 9 empty lines\n'],
  ['empty lines at the beginning', `${'\n'.repeat(9)}a`, '⋯ 9 empty lines\na'],
  ['a run of blanks', `a${' '.repeat(500)}b`, 'a⋯ 500 blanks ⋯b'],
  ['indentation', `${' '.repeat(24)}a`, `${' '.repeat(24)}a`],
  ['a direction control', 'echo \u202ehidden', 'echo \\u202ehidden'],
  ['tags', 'a\u{e0041}\u{e0042}b', 'a\\u{e0041}\\u{e0042}b'],
  ['other blanks', 'rm\u00a0-rf\u3000~', 'rm\\xa0-rf\\u3000~'],
  ['a carriage return', 'git status\rrm -rf ~', 'git status\\rrm -rf ~'],
  ['the joiner of an emoji', 'echo ❤\ufe0f', 'echo ❤\\ufe0f'],
])('[PG62] %s', (_name, text, want) => {
  expect(showCommand(text)).toBe(want);
});

test('[PG62] an escape can be told from the same characters written out', () => {
  expect(readExact('a\u202eb\\u202ec').parts).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'escape', text: '\\u202e' },
    { kind: 'text', text: 'b\\u202ec' },
  ]);
});

test('[PG62] a text with many escapes is few parts, all of it', () => {
  const { parts } = readExact('a\u202e'.repeat(50_000));
  expect(parts).toHaveLength(1);
  expect(parts[0]?.text).toHaveLength(50_000 * 7);
});

test('[PG62] its length is known', () => {
  expect(readExact('a\nb\n')).toMatchObject({ lines: 3, chars: 4 });
  expect(isLong({ lines: 9, chars: 20 })).toBe(true);
  expect(isLong({ lines: 1, chars: 601 })).toBe(true);
  expect(isLong({ lines: 2, chars: 30 })).toBe(false);
});

test('[PG62] a value that cannot be written is told apart', () => {
  let deep: unknown = 1;
  for (let at = 0; at < 200_000; at++) deep = [deep];
  expect(exactJson(deep)).toBeNull();
  expect(exactJson({ a: 1 })).toBe('{\n  "a": 1\n}');
});

test.each([
  ['a\nb\tc', 'a\\nb\\tc'],
  ['pro\u202eject\u200b', 'pro\\u202eject\\u200b'],
  ['\x1b[31mred', '\\x1b[31mred'],
  ['mein Projekt 👩‍💻', 'mein Projekt 👩‍💻'],
])('[PG64] the name %j is shown on one line', (name, want) => {
  expect(showName(name)).toBe(want);
});

test('[PG62] a line break behind a character that does not print stays one', () => {
  expect(showExact('a\x00\nb\u00a0 c\x1b\td')).toBe('a\\x00\nb\\xa0 c\\x1b\td');
});
