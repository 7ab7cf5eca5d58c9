/** Bytes of paths as text and back, and which paths are never written. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSafePath, pathBytes, pathText } from './path-text.ts';

test('[CH18] every path has a text of its own, from which its bytes come back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ min: 1, max: 255, maxLength: 12 }), (bytes) => {
      expect([...(pathBytes(pathText(bytes)) ?? [])]).toEqual([...bytes]);
    }),
  );
});

test.each([
  ['a b.txt', 'a b.txt'],
  ['é', 'é'],
  ['a\nb', 'a\nb'],
  ['"q', '"\\"q"'],
])('[CH18] %j is written as %j', (path, text) => {
  expect(pathText(new TextEncoder().encode(path))).toBe(text);
});

test('[CH18] bytes that are no UTF-8 are written as git quotes them', () => {
  expect(pathText(Uint8Array.from([0x66, 0xff]))).toBe('"f\\377"');
  expect(pathBytes('"unfinished')).toBeNull();
  expect(pathBytes('"\\x"')).toBeNull();
});

test.each([
  '.git/config',
  'a/.GIT/x',
  'a/.git',
  '../x',
  'a/../b',
  '/etc/passwd',
  'a//b',
  './a',
  '.git\u200c/hooks/x',
  'git~1/x',
  '',
])('[CH13] %j is never written', (path) => {
  expect(isSafePath(path)).toBe(false);
});

test.each(['.gitignore', 'a/.github/x', 'git', '...', 'a/b'])('[CH13] %j may be written', (path) => {
  expect(isSafePath(path)).toBe(true);
});
