/** Who has to go when every connection is taken. */
import { expect, test } from 'vitest';
import { seatToFree } from './full-house.ts';

const seat = (name: string, isKnown: boolean, isBusy: boolean) => ({ name, isKnown, isBusy });

test('[HT30] the oldest unknown connection that waits for nothing goes first, then the oldest unknown one', () => {
  const known = [seat('page', true, false), seat('socket', true, true)];
  const busy = [seat('slow 1', false, true), seat('slow 2', false, true)];
  const idle = [seat('idle 1', false, false), seat('idle 2', false, false)];
  expect(seatToFree([...known, ...busy, ...idle])?.name).toBe('idle 1');
  expect(seatToFree([...known, ...busy])?.name).toBe('slow 1');
  expect(seatToFree(known)).toBeNull();
  expect(seatToFree([])).toBeNull();
});
