/** Pages of a log: cut anywhere, read as one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCut, startOfLastLines } from './log-text.ts';

const encoder = new TextEncoder();

test('[SH10] pages of any size give the whole text again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 4, max: 9 }), (given, size) => {
      const text = given.toWellFormed();
      const bytes = encoder.encode(text);
      let read = '';
      for (let at = 0; at < bytes.length; ) {
        const piece = bytes.subarray(at, at + size);
        const cut = decodeCut(piece, at === 0);
        read += cut.text;
        expect(cut.skipped).toBe(0);
        expect(piece.length - cut.held).toBeGreaterThan(0);
        at += piece.length - cut.held;
      }
      expect(read).toBe(text);
    }),
  );
});

test('[SH10] a page that begins inside a character begins with the next one; what is no character is shown as such', () => {
  const bytes = encoder.encode('€x');
  expect(decodeCut(bytes.subarray(1), false)).toEqual({ text: 'x', skipped: 2, held: 0 });
  expect(decodeCut(new Uint8Array([0x80, 0x80, 0x80, 0x80]), false).text).toBe('\ufffd\ufffd\ufffd\ufffd');
  expect(decodeCut(new Uint8Array([0x61, 0xff]), true)).toEqual({ text: 'a\ufffd', skipped: 0, held: 0 });
});

test('[SH10] the last lines, with or without an end', () => {
  const start = (text: string, lines: number) => {
    const at = startOfLastLines(encoder.encode(text), lines);
    return at === null ? null : text.slice(at);
  };
  expect(start('a\nb\nc\n', 1)).toBe('c\n');
  expect(start('a\nb\nc', 2)).toBe('b\nc');
  expect(start('a\nb\n', 2)).toBeNull();
  expect(start('', 1)).toBeNull();
});
