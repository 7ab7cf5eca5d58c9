/** Bytes → lines, at every cut. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY_LINES, endBytes, type Line, MAX_LINE_BYTES, pushBytes } from './lines.ts';

const encode = (text: string) => new TextEncoder().encode(text);

function linesOf(chunks: readonly Uint8Array[], maxBytes?: number): Line[] {
  let state = EMPTY_LINES;
  const lines: Line[] = [];
  for (const chunk of chunks) {
    const step = pushBytes(state, chunk, maxBytes);
    state = step.state;
    lines.push(...step.lines);
  }
  return [...lines, ...endBytes(state, maxBytes)];
}

/** `bytes` in pieces that end where `places` say. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.toSorted((a, b) => a - b), bytes.length];
  return ends.map((end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end));
}

const CORPUS = encode('{"a":"😀é\u2028"}\r\n\n\ufeffBOM\r\rx\n\u0000\ufffd\nlast 汉');

test('[L2] every cut of a multi-byte text gives the same lines', () => {
  const whole = linesOf([CORPUS]);
  expect(whole).toEqual([
    { text: '{"a":"😀é\u2028"}' },
    { text: '' },
    { text: '\ufeffBOM\r\rx' },
    { text: '\u0000\ufffd' },
    { text: 'last 汉' },
  ]);
  for (let first = 0; first <= CORPUS.length; first++)
    for (let second = first; second <= CORPUS.length; second++)
      expect(linesOf(cut(CORPUS, [first, second]))).toEqual(whole);
  expect(linesOf([...CORPUS].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
});

test('[L2] any bytes and any cuts give the same lines, also past the limit', () => {
  const bytes = fc.uint8Array({ maxLength: 60 }).map((all) => all.map((byte) => (byte % 7 === 0 ? 10 : byte)));
  fc.assert(
    fc.property(bytes, fc.array(fc.nat({ max: 60 })), fc.integer({ min: 1, max: 12 }), (all, places, max) => {
      const inside = places.filter((place) => place <= all.length);
      expect(linesOf(cut(all, inside), max)).toEqual(linesOf([all], max));
    }),
  );
});

test('[CX10] a line ends at LF; one CR before it is dropped, any other stays', () => {
  expect(linesOf([encode('a\r\nb\rc\nd\r\r\n')])).toEqual([{ text: 'a' }, { text: 'b\rc' }, { text: 'd\r' }]);
  expect(linesOf([encode('a\r'), encode('\nb')])).toEqual([{ text: 'a' }, { text: 'b' }]);
  expect(linesOf([encode('')])).toEqual([]);
  expect(linesOf([encode('\n')])).toEqual([{ text: '' }]);
});

test('[CX11] bytes that are not UTF-8 become U+FFFD and cost nothing else', () => {
  const broken = Uint8Array.of(0x61, 0xc3, 0x0a, 0xff, 0x62, 0x0a, 0xf0, 0x9f, 0x98);
  expect(linesOf([broken])).toEqual([{ text: 'a\ufffd' }, { text: '\ufffdb' }, { text: '\ufffd' }]);
});

test('[CX12][L7] a line past the limit is counted and dropped; the next one is whole', () => {
  const text = encode(`ok\n${'x'.repeat(20)}\nnext\n`);
  const expected = [{ text: 'ok' }, { oversize: 20 }, { text: 'next' }];
  for (let place = 0; place <= text.length; place++) expect(linesOf(cut(text, [place]), 8)).toEqual(expected);
  let state = EMPTY_LINES;
  for (let at = 0; at < 5; at++) state = pushBytes(state, encode('y'.repeat(4)), 8).state;
  expect(state).toEqual({ parts: [], size: 20 });
  expect(endBytes(state, 8)).toEqual([{ oversize: 20 }]);
  expect(MAX_LINE_BYTES).toBeGreaterThan(50_000_000);
});
