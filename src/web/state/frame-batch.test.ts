/** When what arrives is handed on: news with the next frame, growing text some twenty times a second. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFrameBatch } from './frame-batch.ts';

const FRAME_MS = 16;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.setSystemTime(0);
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, FRAME_MS));
  vi.stubGlobal('cancelAnimationFrame', (id: number) => clearTimeout(id));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open() {
  const given: (readonly string[])[] = [];
  const batch = createFrameBatch<string>(
    (all) => given.push(all),
    (one) => one.startsWith('d'),
  );
  return { given, batch };
}

test('the first text comes with the next frame, later text is gathered', () => {
  const { given, batch } = open();
  vi.advanceTimersByTime(1_000);
  batch.push('d1');
  vi.advanceTimersByTime(FRAME_MS);
  expect(given).toEqual([['d1']]);
  for (let n = 0; n < 500; n += 1) {
    batch.push(`d${n}`);
    vi.advanceTimersByTime(2);
  }
  vi.advanceTimersByTime(100);
  expect(given.flat()).toHaveLength(501);
  expect(given.length).toBeGreaterThan(12);
  expect(given.length).toBeLessThan(24);
});

test('news does not wait for text, and takes what is held along, in order', () => {
  const { given, batch } = open();
  vi.advanceTimersByTime(1_000);
  batch.push('d1');
  vi.advanceTimersByTime(FRAME_MS);
  batch.push('d2');
  batch.push('news');
  vi.advanceTimersByTime(FRAME_MS);
  expect(given).toEqual([['d1'], ['d2', 'news']]);
});

test('without frames, as in a hidden page, all is handed on a little later; flush hands it on at once', () => {
  vi.stubGlobal('requestAnimationFrame', () => 1);
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
  const { given, batch } = open();
  batch.push('d1');
  vi.advanceTimersByTime(249);
  expect(given).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(given).toEqual([['d1']]);
  batch.push('d2');
  batch.flush();
  batch.flush();
  expect(given).toEqual([['d1'], ['d2']]);
});
