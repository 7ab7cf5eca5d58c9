/** Which lines of a log are entries. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classifyLine } from './log-line.ts';

const classify = (text: string, strict: boolean): number | string => {
  const bytes = Buffer.from(`xx${text}yy`);
  return classifyLine(bytes, 2, bytes.length - 2, strict);
};

test('what our writer writes has the same verdict with and without parsing', () => {
  fc.assert(
    fc.property(fc.nat(Number.MAX_SAFE_INTEGER), fc.dictionary(fc.string(), fc.jsonValue()), (seq, rest) => {
      const text = JSON.stringify({ seq, ...Object.fromEntries(Object.entries(rest).map(([k, v]) => [`_${k}`, v])) });
      expect(classify(text, false)).toBe(seq);
      expect(classify(text, true)).toBe(seq);
    }),
  );
});

test.each([
  ['', 'blank'],
  ['   ', 'blank'],
  ['{"role":"user","seq":7}', 7],
  [' {"seq":7}\r', 7],
  ['{"seq":7.0}', 7],
  ['{"seq":07,"a":1}', 'not_json'],
  ['{"seq":7,"a":{"b":1}', 'not_json'],
  ['{"seq":7,"a":{"b":1}!', 'not_json'],
  ['{"seq":7', 'not_json'],
  ['{"seq":}', 'not_json'],
  ['{"seq":1e309}', 'no_seq'],
  ['{"seq":9007199254740993}', 'no_seq'],
  ['{"seq":99999999999999999999,"a":1}', 'no_seq'],
  ['{"seq":"7"}', 'no_seq'],
  ['{"seq":1.5}', 'no_seq'],
  ['{"seq":7,"seq":9}', 'no_seq'],
  ['{"__proto__":{"seq":7}}', 'no_seq'],
  ['[{"seq":7}]', 'no_seq'],
  ['null', 'no_seq'],
  ['7', 'no_seq'],
  ['\ufeff{"seq":7}', 'not_json'],
  [`{"seq":7,"a":${'['.repeat(200_000)}`, 'not_json'],
  [`{"seq":7,"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 7],
])('[ST6] strict: %.40s', (text, verdict) => {
  expect(classify(text, true)).toBe(verdict);
});
