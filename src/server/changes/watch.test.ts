/** The watch of a work tree: every change that shows is told soon, ignored files are not, and it ends by itself. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../node/clock.ts';
import { CONVERSATION, openChangesStand } from '../../testing/changes-stand.ts';
import { createWatches, LEASE_MS } from './watch.ts';

async function openWatch(maxFolders?: number) {
  const stand = await openChangesStand();
  stand.write('.gitignore', '*.log\nbuild/\n');
  stand.write('deep/er/x.txt', 'x\n');
  stand.git(['add', '-A']);
  stand.git(['commit', '-q', '-m', 'more']);
  let count = 0;
  let waiting: (() => void) | null = null;
  const timers: { ms: number; fn: () => void }[] = [];
  let later = 0;
  const clock: Clock = {
    ...systemClock,
    monotonicMs: () => systemClock.monotonicMs() + later,
    setTimer: (ms, fn) => {
      if (ms > 1_000) timers.push({ ms, fn });
      return systemClock.setTimer(ms, fn);
    },
  };
  const watches = createWatches({
    git: stand.ownGit,
    ownFolders: [],
    clock,
    onChange: () => {
      count += 1;
      waiting?.();
    },
    ...(maxFolders !== undefined && { maxFolders }),
  });
  onTestFinished(() => watches.close());
  return {
    ...stand,
    watches,
    renew: () => watches.renew(CONVERSATION, stand.root),
    count: () => count,
    /** Resolves with the time until the change was told. */
    told: async (act: () => unknown): Promise<number> => {
      const at = performance.now();
      const news = new Promise<void>((resolve) => {
        waiting = resolve;
      });
      await act();
      await news;
      return performance.now() - at;
    },
    expire: () => {
      later += LEASE_MS + 2;
      timers.at(-1)?.fn();
    },
  };
}

test('[CH112] a change of a file, a new folder, a removal, a stage and a commit are each told', async () => {
  const stand = await openWatch();
  expect(await stand.renew()).toEqual({ ok: true, value: 'all' });
  const times = [
    await stand.told(() => stand.write('deep/er/x.txt', 'changed\n')),
    await stand.told(() => stand.git(['add', '-A'])),
    await stand.told(() => stand.git(['commit', '-q', '-m', 'next'])),
    await stand.told(() => rmSync(join(stand.root, 'a.txt'))),
    await stand.told(() => stand.write('fresh/folder/y.txt', 'y\n')),
  ];
  // The limit of 500 ms is for a machine that does nothing else; here it only must not be seconds.
  expect(Math.max(...times)).toBeLessThan(5_000);
  // The new folder is watched in its turn.
  await expect
    .poll(async () => {
      await stand.told(() => stand.write('fresh/folder/y.txt', `${Math.random()}\n`));
      return true;
    })
    .toBe(true);
});

test('[CH112] a folder that was removed and made again, as by a checkout, is still watched', async () => {
  const stand = await openWatch();
  await stand.renew();
  await stand.told(() => {
    rmSync(join(stand.root, 'deep'), { recursive: true });
    stand.write('deep/er/x.txt', 'again\n');
  });
  // Until the new folder is watched nothing tells of its files, so the change is repeated.
  const before = stand.count();
  await expect
    .poll(
      () => {
        stand.write('deep/er/x.txt', `${Math.random()}\n`);
        return stand.count();
      },
      { interval: 600, timeout: 20_000 },
    )
    .toBeGreaterThan(before + 3);
});

test('[CH113] a change of an ignored file is not told', async () => {
  const stand = await openWatch();
  await stand.renew();
  mkdirSync(join(stand.root, 'build'));
  await stand.told(() => stand.write('a.txt', 'settle\n'));
  await stand.told(() => stand.write('a.txt', 'settled\n'));
  const before = stand.count();
  stand.write('noise.log', 'x\n');
  stand.write('build/out.o', 'x\n');
  // A later change is told, and it alone.
  await stand.told(async () => {
    await systemClock.sleep(700);
    expect(stand.count()).toBe(before);
    stand.write('a.txt', 'two\n');
  });
});

test('[CH114] with more folders than are watched the answer says so, and the watch ends when it is not renewed', async () => {
  const stand = await openWatch(5);
  expect(await stand.renew()).toEqual({ ok: true, value: 'part' });
  await stand.told(() => stand.write('a.txt', 'near the top\n'));
  stand.expire();
  const before = stand.count();
  stand.write('a.txt', 'nobody looks\n');
  await systemClock.sleep(700);
  expect(stand.count()).toBe(before);
});
