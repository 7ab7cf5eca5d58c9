/** Segments are the same however the text arrived, and never cut through a fence. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutSegments, NO_SEGMENTS, type Segments } from './cut-segments.ts';

const paragraph = (n: number) => `Paragraph ${n} ${'with words '.repeat(20)}\n\n`;
const TEXT = `${Array.from({ length: 30 }, (_, n) => paragraph(n)).join('')}\`\`\`ts\n${'const x = 1;\n\n'.repeat(400)}\`\`\`\n\n${paragraph(31)}${'- item of a long list\n'.repeat(600)}\nend\n`;

const cuts = ({ text, starts }: Segments) => starts.map((start, at) => text.slice(start, starts[at + 1]));

test('the segments make up the text, and a fence stays whole', () => {
  const parts = cuts(cutSegments(NO_SEGMENTS, TEXT));
  expect(parts.join('')).toBe(TEXT);
  expect(parts.length).toBeGreaterThan(4);
  for (const part of parts) expect((part.match(/^```/gm) ?? []).length % 2).toBe(0);
});

test('a long list is cut between items', () => {
  const parts = cuts(cutSegments(NO_SEGMENTS, '1. one\n   more\n'.repeat(1_000)));
  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts) expect(part.startsWith('1. ')).toBe(true);
});

test('any way of cutting the stream gives the same segments', () => {
  const whole = cutSegments(NO_SEGMENTS, TEXT).starts;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 40 }), (steps) => {
      let list = NO_SEGMENTS;
      let at = 0;
      for (const step of steps) {
        at += step;
        list = cutSegments(list, TEXT.slice(0, at));
      }
      expect(cutSegments(list, TEXT).starts).toEqual(whole);
    }),
    { numRuns: 30 },
  );
});

test('a text that did not grow is cut anew', () => {
  expect(cutSegments(cutSegments(NO_SEGMENTS, TEXT), 'short').starts).toEqual([0]);
});
