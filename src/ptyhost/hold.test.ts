/** A shell is held as long as somebody is behind, and not a moment longer than needed. */
import { expect, test } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { createHold } from './hold.ts';

function stand() {
  const clock = createManualClock();
  const told: boolean[] = [];
  const viewers = { areFull: true };
  const hold = createHold({ hold: (isHeld) => told.push(isHeld), isFull: () => viewers.areFull, clock });
  return { clock, told, viewers, hold };
}

test('it is let go when the viewer has caught up', () => {
  const { clock, told, viewers, hold } = stand();
  hold.begin();
  hold.recheck();
  expect([told, clock.waiting()]).toEqual([[true], 1]);
  viewers.areFull = false;
  hold.recheck();
  expect([told, clock.waiting()]).toEqual([[true, false], 0]);
});

test('it is let go also when nobody says that the viewer has left', () => {
  const { clock, told, viewers, hold } = stand();
  hold.begin();
  clock.advance(500);
  expect([told, clock.waiting()]).toEqual([[true], 1]);
  viewers.areFull = false;
  clock.advance(50);
  expect([told, clock.waiting()]).toEqual([[true, false], 0]);
});

test('nothing is let go that is not held, nor after the end', () => {
  const { clock, told, viewers, hold } = stand();
  viewers.areFull = false;
  hold.recheck();
  hold.begin();
  hold.begin();
  expect(clock.waiting()).toBe(1);
  hold.end();
  hold.recheck();
  clock.advance(500);
  expect([told, clock.waiting()]).toEqual([[true, true], 0]);
});
