/** The real clock. */
import { expect, test } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { systemClock, within } from './clock.ts';

test('an aborted sleep resolves at once, before or during the wait', async () => {
  const hour = 3_600_000;
  await systemClock.sleep(hour, AbortSignal.abort());
  const stop = new AbortController();
  const sleeping = systemClock.sleep(hour, stop.signal);
  stop.abort();
  await sleeping;
});

test('a sleep lasts as long as asked, a canceled timer never fires', async () => {
  const fired: string[] = [];
  const timer = systemClock.setTimer(1, () => fired.push('canceled'));
  timer.cancel();
  systemClock.setTimer(1, () => fired.push('kept'));
  const before = systemClock.monotonicMs();
  await systemClock.sleep(10);
  expect(fired).toEqual(['kept']);
  expect(systemClock.monotonicMs() - before).toBeGreaterThanOrEqual(9);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
});

test('a task is waited for no longer than there is patience, and its failure is told', async () => {
  const clock = createManualClock();
  const never = within(clock, 1_000, new Promise(() => undefined));
  clock.advance(1_000);
  expect(await never).toBe(false);
  expect(await within(clock, 1_000, Promise.resolve())).toBe(true);
  await expect(within(clock, 1_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(clock.waiting()).toBe(0);
});
