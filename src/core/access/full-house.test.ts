/** Who has to go when every connection is taken. */
import { expect, test } from 'vitest';
import { admitSocket, type Holder, seatToFree } from './full-house.ts';

const seat = (name: string, holder: Holder, isBusy = false) => ({ name, holder, isBusy });
const of = (program: string) => ({ program });
const page = [seat('page', 'person'), seat('stream', 'person', true)];

test('[HT30] the oldest unknown connection that waits for nothing goes first, then the oldest unknown one', () => {
  const known = [...page, seat('script', of('1'))];
  const busy = [seat('slow 1', 'nobody', true), seat('slow 2', 'nobody', true)];
  const idle = [seat('idle 1', 'nobody'), seat('idle 2', 'nobody')];
  expect(seatToFree([...known, ...busy, ...idle])?.name).toBe('idle 1');
  expect(seatToFree([...known, ...busy])?.name).toBe('slow 1');
  expect(seatToFree(page)).toBeNull();
  expect(seatToFree([])).toBeNull();
});

test('[HT40] without unknown connections, one of the program that has the most goes: never one of a person', () => {
  const small = [seat('of 1', of('1'))];
  const large = [seat('busy of 2', of('2'), true), seat('first of 2', of('2')), seat('second of 2', of('2'))];
  expect(seatToFree([...page, ...small, ...large])?.name).toBe('first of 2');
  expect(seatToFree([...page, ...small, seat('a', of('3'), true), seat('b', of('3'), true)])?.name).toBe('a');
});

test('[HT41] a program has only so many sockets, and a person’s takes the place of one of the program with the most', () => {
  const limits = { all: 4, perProgram: 2 };
  const two = [seat('1a', of('1')), seat('1b', of('1'))];
  const full = [seat('page', 'person'), seat('2a', of('2')), ...two];
  expect(admitSocket(two, of('1'), limits)).toBe('refuse');
  expect(admitSocket(two, of('2'), limits)).toBe('admit');
  expect(admitSocket(full, of('3'), limits)).toBe('refuse');
  expect(admitSocket(full, 'person', limits)).toEqual({ close: two[0] });
  expect(admitSocket([...page, ...page], 'person', limits)).toBe('refuse');
});
