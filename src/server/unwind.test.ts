/** The limits of a stop, on a clock that the test moves. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLogger } from '../node/logger.ts';
import { createManualClock, type ManualClock } from '../testing/manual-clock.ts';
import { createUnwind } from './unwind.ts';

const log = createLogger({ level: 'silent' });
const never = () => new Promise<void>(() => undefined);

/** Moves the clock whenever nothing else is left to do, until the run ends; returns how long that took. */
async function timeOf(run: Promise<void>, clock: ManualClock): Promise<number> {
  let isDone = false;
  void run.then(() => {
    isDone = true;
  });
  const startMs = clock.monotonicMs();
  for (await nextTurn(); !isDone; await nextTurn()) clock.advance(10);
  return clock.monotonicMs() - startMs;
}

test('[FT20] steps run once, the last added first, also after one that throws', async () => {
  const clock = createManualClock();
  const unwind = createUnwind({ clock, log });
  const ran: string[] = [];
  unwind.add('first', () => ran.push('first'));
  unwind.add('broken', () => {
    throw new Error('cannot close');
  });
  unwind.add('last', async () => ran.push('last'));
  expect(await timeOf(unwind.run(), clock)).toBe(0);
  await unwind.run();
  expect(ran).toEqual(['last', 'first']);
});

test('[FT20] steps that never end cost less than 5 s in all, and every other step is run', async () => {
  const clock = createManualClock();
  const unwind = createUnwind({ clock, log });
  const ran: number[] = [];
  for (let at = 0; at < 10; at += 1) {
    unwind.add(`step ${at}`, () => ran.push(at));
    unwind.add(`hanging ${at}`, never);
  }
  expect(await timeOf(unwind.run(), clock)).toBeLessThan(5_000);
  expect(ran).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
});
