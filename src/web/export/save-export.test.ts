/** [PG67] The name of an exported file. */
import { expect, test } from 'vitest';
import { fileNameOf } from './save-export.ts';

test.each([
  ['Fix the parser', 'Fix the parser'],
  ['../../etc/passwd', 'etc passwd'],
  ['.bashrc', 'bashrc'],
  ['a:b\\c|d?', 'a b c d'],
  ['Ärger mit 日本語', 'Ärger mit 日本語'],
  ['\u202efdp.exe', 'fdp.exe'],
  ['???', 'conversation'],
  ['x'.repeat(200), 'x'.repeat(60)],
])('[PG67] %s', (title, name) => {
  expect(fileNameOf(title)).toBe(name);
});
