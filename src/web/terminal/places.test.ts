/** Blocks find their lines, whichever of bytes and block is told first. */
import { expect, test } from 'vitest';
import { createPlaces } from './places.ts';

/** A line that moves as xterm's do. */
function marker(line: number) {
  const listeners: (() => void)[] = [];
  return {
    id: line,
    line,
    isDisposed: false,
    onDispose: (listener: () => void) => {
      listeners.push(listener);
      return { dispose: () => {} };
    },
    dispose() {
      this.isDisposed = true;
      for (const tell of listeners) tell();
    },
  };
}

test('bytes first, or block first; a little before or behind the mark', () => {
  const places = createPlaces();
  places.note(100, marker(5));
  places.claim('a', 100);
  places.claim('b', 208);
  expect([...places.wanted()]).toEqual([208]);
  places.note(200, marker(9));
  expect(places.all()).toEqual([
    { blockId: 'a', line: 4 },
    { blockId: 'b', line: 8 },
  ]);
  expect([...places.wanted()]).toEqual([]);
});

test('[TP3] a mark no block claims is nothing', () => {
  const places = createPlaces();
  places.note(100, marker(5));
  places.claim('a', 5_000);
  expect(places.all()).toEqual([]);
  expect(places.lineOf('a')).toBeNull();
});

test('a block whose lines are gone has no place', () => {
  const places = createPlaces();
  const line = marker(5);
  places.put('a', line);
  expect(places.lineOf('a')).toBe(4);
  line.dispose();
  expect(places.lineOf('a')).toBeNull();
});

test('unclaimed marks are bounded', () => {
  const places = createPlaces();
  const first = marker(1);
  places.note(0, first);
  for (let at = 1; at <= 200; at++) places.note(at * 10_000, marker(at));
  expect(first.isDisposed).toBe(true);
  places.claim('last', 2_000_000);
  expect(places.lineOf('last')).toBe(199);
});
