/** The real clock. */
import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';

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
