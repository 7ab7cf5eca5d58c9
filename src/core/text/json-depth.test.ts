/** Depth is found without parsing, in the time the length takes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTooDeep } from './json-depth.ts';
import { parseJson } from './parse-json.ts';

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);

test('[EV2] nesting is told from length, quotes and escapes', () => {
  expect(isTooDeep(nested(512) + ' '.repeat(2_000))).toBe(false);
  expect(isTooDeep(nested(513))).toBe(true);
  expect(isTooDeep(nested(2_000, '{"a":', '}'))).toBe(true);
  expect(isTooDeep('['.repeat(2_000_000))).toBe(true);
  expect(isTooDeep(JSON.stringify({ text: '['.repeat(5_000), more: `\\"${'{'.repeat(5_000)}` }))).toBe(false);
  expect(isTooDeep(`[${'[],'.repeat(5_000)}[]]`)).toBe(false);
  expect(parseJson('['.repeat(2_000_000))).toBeNull();
});

test('[EV2] whatever is parsed elsewhere is parsed here', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), (text) => {
      expect(isTooDeep(text.padEnd(2_000))).toBe(false);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});
