/** A real full file system: a small tmpfs, where mounting one is permitted. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mountSmall } from '../testing/small-disk.ts';
import { openAppendLog } from './append-log.ts';
import { type Clock, systemClock } from './clock.ts';

test('[ST1] no false acknowledgement, and every record is readable once there is space', async (context) => {
  const mounted = mountSmall(64);
  if (mounted === null) return context.skip('mounting a tmpfs is not permitted here');
  const path = join(mounted, 't.jsonl');
  const ballast = join(mounted, 'ballast');
  writeFileSync(ballast, Buffer.alloc(40_000));
  const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  let retries = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Two retries in vain at once; the third waits until the test has looked.
  const clock: Clock = {
    ...systemClock,
    sleep() {
      retries += 1;
      return retries < 3 ? nextTick() : released;
    },
  };
  const states: string[] = [];
  const log = await openAppendLog({ path, clock, onStorage: (state) => states.push(state) });
  const text = (seq: number): string => `{"seq":${seq},"text":"${'y'.repeat(3000)}"}`;
  const acked: number[] = [];
  const append = (): void => {
    const { seq, done } = log.append(text);
    void done.then(() => acked.push(seq));
  };
  append();
  append();
  await log.drain();
  for (let i = 0; i < 13; i += 1) append();
  while (retries < 3) await nextTick();
  expect([states, acked, log.lastDurableSeq()]).toEqual([['full'], [1, 2], 2]);
  expect(readFileSync(path, 'utf8')).toBe(`${text(1)}\n${text(2)}\n`);
  rmSync(ballast);
  release();
  await log.drain();
  const all = Array.from({ length: 15 }, (_, i) => i + 1);
  expect([states, acked]).toEqual([['full', 'ok'], all]);
  await log.close();
  expect(readFileSync(path, 'utf8')).toBe(all.map((seq) => `${text(seq)}\n`).join(''));
});
