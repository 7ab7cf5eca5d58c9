/** Lengths and cuts in UTF-8 bytes, compared with what TextEncoder writes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength, cutEndBytes, cutMiddleBytes, headBytes, tailBytes } from './bytes.ts';

const encoder = new TextEncoder();
const encodedLength = (text: string): number => encoder.encode(text).length;
/** Of every width, halves of pairs included: each alone, and often beside each other. */
const units = fc.constantFrom(
  'a',
  '\u007f',
  '\u0080',
  'ü',
  '\u07ff',
  '\u0800',
  '€',
  '\uffff',
  '😀',
  '\ud83d',
  '\ude00',
);
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(units, { maxLength: 300 }).map((all) => all.join('')),
);
const limits = fc.integer({ min: 0, max: 400 });

test('a length is what TextEncoder writes, also of halves of surrogate pairs', () => {
  fc.assert(fc.property(texts, (text) => byteLength(text) === encodedLength(text)));
});

test('a head is the longest beginning that fits, and a tail the longest end', () => {
  fc.assert(
    fc.property(texts, limits, (text, max) => {
      const characters = [...text];
      const fitting = (pick: (count: number) => readonly string[]): string => {
        const counts = characters.map((_one, at) => characters.length - at);
        const count = counts.find((one) => encodedLength(pick(one).join('')) <= max) ?? 0;
        return pick(count).join('');
      };
      expect(headBytes(text, max)).toBe(fitting((count) => characters.slice(0, count)));
      expect(tailBytes(text, max)).toBe(fitting((count) => characters.slice(characters.length - count)));
    }),
    { numRuns: 50 },
  );
});

test('[CT3] a cut in the middle fits with its mark, keeps both ends and counts exactly what is gone', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 60, max: 500 }), (text, max) => {
      const cut = cutMiddleBytes(text, max);
      expect(encodedLength(cut.text)).toBeLessThanOrEqual(max);
      if (encodedLength(text) <= max) expect(cut).toEqual({ text, cutBytes: 0 });
      else {
        const [head = '', tail = ''] = cut.text.split(`…[${cut.cutBytes} bytes cut]…`);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(byteLength(head) + byteLength(tail) + cut.cutBytes).toBe(encodedLength(text));
      }
    }),
  );
});

test('[EV25] a cut at the end keeps the whole characters that fit and says after it how much is gone', () => {
  expect(cutEndBytes('short', 9)).toBe('short');
  expect(cutEndBytes('😀😀😀', 9)).toBe('😀😀… [4 bytes cut]');
  fc.assert(
    fc.property(texts, limits, (text, max) => {
      const total = encodedLength(text);
      const head = headBytes(text, max);
      expect(cutEndBytes(text, max)).toBe(total <= max ? text : `${head}… [${total - byteLength(head)} bytes cut]`);
    }),
  );
});
