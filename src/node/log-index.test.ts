/** The index that maps seq to bytes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLogIndex, type EntryPlace } from './log-index.ts';

function makePlaces(gaps: number[], firstSeq: number): EntryPlace[] {
  let seq = firstSeq - 1;
  let offset = 0;
  return gaps.map((gap) => {
    seq += 1 + (gap % 3);
    const place = { seq, offset, length: 9 + gap };
    offset += place.length + 1 + (gap % 5);
    return place;
  });
}

test('the index agrees with a plain list, also when it goes on from stored records', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(5000), { maxLength: 200 }),
      fc.integer({ min: 0, max: 1000 }),
      fc.nat(200),
      (gaps, firstSeq, cut) => {
        const places = makePlaces(gaps, firstSeq);
        const stored = createLogIndex(firstSeq);
        for (const place of places.slice(0, cut)) stored.push(place);
        const index = createLogIndex(firstSeq, Buffer.concat(stored.records(0)));
        for (const place of places.slice(cut)) index.push(place);
        expect(places.map((_, position) => index.at(position))).toEqual(places);
        expect(index.count()).toBe(places.length);
        expect(index.lastSeq()).toBe(places.at(-1)?.seq ?? firstSeq - 1);
        for (let seq = firstSeq - 1; seq <= index.lastSeq() + 1; seq += 1) {
          const expected = places.findIndex((place) => place.seq >= seq);
          expect(index.lowerBound(seq)).toBe(expected === -1 ? places.length : expected);
        }
      },
    ),
    { numRuns: 50 },
  );
});

test('beyond one segment: every place is found and records(from) is exactly the rest', () => {
  const index = createLogIndex(1);
  const count = 3 * 4096 + 17;
  for (let seq = 1; seq <= count; seq += 1) index.push({ seq, offset: (seq - 1) * 2 ** 21, length: 100 });
  const all = Buffer.concat(index.records(0));
  expect(all.length).toBe(count * 16);
  for (const from of [0, 1, 4095, 4096, 4097, 8192, count - 1, count]) {
    expect(Buffer.concat(index.records(from)).equals(all.subarray(from * 16))).toBe(true);
  }
  expect(index.at(count - 1)).toEqual({ seq: count, offset: (count - 1) * 2 ** 21, length: 100 });
  expect(createLogIndex(1, all).lowerBound(9000)).toBe(8999);
});

test('a seq that does not rise is a bug, and so is a position that is not there', () => {
  const index = createLogIndex(5);
  expect(() => index.push({ seq: 4, offset: 0, length: 9 })).toThrow(RangeError);
  index.push({ seq: 5, offset: 0, length: 9 });
  expect(() => index.push({ seq: 5, offset: 10, length: 9 })).toThrow(RangeError);
  expect(() => index.at(1)).toThrow(RangeError);
  expect([index.count(), index.end()]).toEqual([1, 10]);
});
