/** Which Authorization headers hold a token. */
import { expect, test } from 'vitest';
import { bearerToken } from './bearer.ts';

test.each([
  ['Bearer abc.-_=', 'abc.-_='],
  ['bEARER abc', 'abc'],
  [`Bearer ${'x'.repeat(1_024)}`, 'x'.repeat(1_024)],
])('%j holds a token', (header, token) => {
  expect(bearerToken(header)).toBe(token);
});

test.each([
  undefined,
  null,
  '',
  'Bearer',
  'Bearer ',
  'Bearer  abc',
  'Bearer a b',
  'Bearer abc\n',
  'Basic abc',
  ' Bearer abc',
  `Bearer ${'x'.repeat(1_025)}`,
])('%j holds none', (header) => {
  expect(bearerToken(header)).toBeNull();
});
