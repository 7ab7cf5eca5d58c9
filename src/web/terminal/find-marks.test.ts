/** Where output may begin. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMarks, type MarkScan, NO_SCAN } from './find-marks.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function placesIn(pieces: readonly Uint8Array[]): readonly number[] {
  const places: number[] = [];
  let scan: MarkScan = NO_SCAN;
  let from = 0;
  for (const piece of pieces) {
    const found = findMarks(scan, piece);
    places.push(...found.ends.map((end) => from + end));
    scan = found.scan;
    from += piece.length;
  }
  return places;
}

const TEXT = 'a\x1b]133;C\x07b\x1b[31m\x1b]133;D;0\x07\x1b]133;C;x=1\x1b\\c\x1b]133\x1b]133;C\x1b]133;C\x07';

test('behind BEL and behind ST, not behind other marks or unfinished ones', () => {
  const places = placesIn([bytesOf(TEXT)]);
  expect(places).toEqual([9, TEXT.indexOf('\\') + 1, TEXT.length]);
});

test('the same wherever the bytes are cut', () => {
  const bytes = bytesOf(TEXT);
  const whole = placesIn([bytes]);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const pieces = edges.slice(1).map((edge, at) => bytes.subarray(edges[at], edge));
      expect(placesIn(pieces)).toEqual(whole);
    }),
  );
});
