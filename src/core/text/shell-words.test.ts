/** Shell words, there and back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinWords, unquoteWord } from './shell-words.ts';

test.each([
  [['/bin/bash', '-lc', 'echo hi'], "/bin/bash -lc 'echo hi'"],
  [['rm', '-rf', 'a b'], "rm -rf 'a b'"],
  [['rm', '-rf', 'a', 'b'], 'rm -rf a b'],
  [['printf', "it's $HOME"], 'printf "it\'s \\$HOME"'],
  [['touch', ''], "touch ''"],
])('%j reads as one line', (argv, line) => {
  expect(joinWords(argv)).toBe(line);
});

test.each([
  ["'echo hi; ls'", 'echo hi; ls'],
  ['ls', 'ls'],
  ['"printf \'one\\\\n\'; rm x"', "printf 'one\\n'; rm x"],
  [`'it'"'"'s'`, "it's"],
  [String.raw`it\'s`, "it's"],
  ['"a\\nb"', 'a\\nb'],
  ["''", ''],
])('%s says %j', (quoted, word) => {
  expect(unquoteWord(quoted)).toBe(word);
});

test.each(["'open", '"open', 'two words', 'a;b', 'back\\', '$(x)'])('%s is not one word', (text) => {
  expect(unquoteWord(text)).toBeNull();
});

test('a word survives quoting', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a \'"\\$`;\n😀') }), (word) => {
      expect(unquoteWord(joinWords([word]))).toBe(word);
    }),
  );
});
