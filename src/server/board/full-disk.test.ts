/** The board on a disk that is full. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock as clock, within } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { mountSmall } from '../../testing/small-disk.ts';
import { createBoard } from './board.ts';

/** Longer than a stop may take, shorter than a test. */
const PATIENCE_MS = 20_000;

test('[FT7] a board whose last post waits for a full disk is closed all the same, and nobody was told that it is stored', async (context) => {
  const disk = mountSmall(256);
  if (disk === null) return context.skip('mounting a tmpfs is not permitted here');
  const board = createBoard({
    dir: join(disk, 'board'),
    clock,
    log: createLogger({ level: 'silent' }),
    conversations: () => [],
    deliver: async () => undefined,
  });
  await board.post({ kind: 'script' }, { who: 'ci', message: 'first' });
  try {
    for (let at = 0; ; at += 1) writeFileSync(join(disk, `ballast${at}`), Buffer.alloc(4_096));
  } catch {
    // Full.
  }
  const late = board.post({ kind: 'script' }, { who: 'ci', message: 'x'.repeat(8_000) }).then(
    ({ ok }) => (ok ? 'stored' : 'refused'),
    () => 'given up',
  );
  expect(await within(clock, PATIENCE_MS, board.close())).toBe(true);
  expect(await late).toBe('given up');
});
