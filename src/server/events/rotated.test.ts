/** Which files beside an inbox are read: none that is older than what the ledger remembers. */
import { rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../node/clock.ts';
import { makeDir } from '../../testing/box.ts';
import { createRotated } from './rotated.ts';

const DAY_S = 24 * 3_600;
let dir = '';
beforeEach(async () => {
  dir = await makeDir('rotated');
});
afterEach(() => rm(dir, { recursive: true }));

test.each([
  [1, ['1']],
  [7, ['1', '2']],
  [30, ['1', '2', '3']],
])(
  '[EV10] with events kept for %s days the rotated files of that time are read, and no older one',
  async (days, read) => {
    const path = join(dir, 'inbox.jsonl');
    for (const [name, age] of [
      ['1', 0.5],
      ['2', 3],
      ['3', 20],
      ['4', 40],
    ] as const) {
      await writeFile(`${path}.${name}`, 'x');
      const at = systemClock.now() / 1_000 - age * DAY_S;
      await utimes(`${path}.${name}`, at, at);
    }
    const seen: string[] = [];
    const rotated = createRotated({
      path,
      marks: {},
      maxAgeMs: days * DAY_S * 1_000,
      clock: systemClock,
      async readFrom(file) {
        seen.push(basename(file).slice(-1));
        return 1;
      },
    });
    await rotated.read(null);
    expect(seen.sort()).toEqual(read);
  },
);
