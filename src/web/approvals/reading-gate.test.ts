/** [PG63] When a request may be allowed. */
import { expect, test } from 'vitest';
import { briefReason, isEndShown, mayDecide } from './reading-gate.ts';

const body = { top: 100, bottom: 300 };
const end = (bottom: number) => ({ top: bottom - 1, bottom });

test.each([
  ['in view', end(250), [body], true],
  ['at the lower edge', end(300), [body], true],
  ['below', end(320), [body], false],
  ['above: it was scrolled past, but this look did not see it', end(80), [body], false],
  ['in the scroller, below the window', end(290), [body, { top: 0, bottom: 200 }], false],
  ['in a box without height', end(100), [{ top: 100, bottom: 100 }], false],
])('[PG63] the end is %s', (_name, at, boxes, want) => {
  expect(isEndShown(at, boxes)).toBe(want);
});

test('[PG63] declining needs no reading', () => {
  expect((['accept', 'accept_for_session', 'accept_always'] as const).map((word) => mayDecide(word, false))).toEqual([
    false,
    false,
    false,
  ]);
  expect((['decline', 'cancel'] as const).map((word) => mayDecide(word, false))).toEqual([true, true]);
  expect(mayDecide('accept', true)).toBe(true);
});

test('[PG62] a long reason is cut to a few lines', () => {
  expect(briefReason('Needs the network.')).toEqual({ text: 'Needs the network.', lines: null });
  expect(briefReason('a\n'.repeat(40))).toEqual({ text: 'a\na\na…', lines: 41 });
  const long = briefReason('word '.repeat(500));
  expect(long.text.length).toBeLessThan(250);
  expect(long.lines).toBe(1);
});
