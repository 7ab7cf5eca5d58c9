/** The file of what was no event, replaced by something that is no file. */
import { execFileSync } from 'node:child_process';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { openRejected, readRejected } from './rejected.ts';

test('[AG31] a pipe, a link and a device in the place of a thread’s file are not opened, and nobody waits for them', async () => {
  const dir = await makeDir('rejected');
  onTestFinished(() => rm(dir, { recursive: true }));
  const log = createLogger({ level: 'silent' });
  const [pipe, link, device] = ['pipe', 'link', 'device'].map((name) => join(dir, name));
  if (pipe === undefined || link === undefined || device === undefined) throw new Error('three names were given');
  execFileSync('mkfifo', [pipe]);
  await writeFile(join(dir, 'secret'), '{}\n{}\n');
  await symlink(join(dir, 'secret'), link);
  await symlink('/dev/zero', device);
  for (const path of [pipe, link, device]) {
    const rejected = await openRejected(path, createManualClock(), log);
    expect(rejected.before).toBe(0);
    rejected.keep('no JSON', 'x');
    await rejected.close();
    expect(await readRejected(path, 10)).toEqual([]);
  }
});
