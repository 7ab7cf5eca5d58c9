/** The server killed in the moment in which Codex runs and nothing on disk says so yet. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startTimeOf } from '../../src/node/process-identity.ts';
import { type Box, openBox } from '../../src/testing/box.ts';

let box: Box;
afterEach(() => box.close());

test('[FT13] a Codex that was started and not recorded is ended, and the next one starts at the first try', async () => {
  box = await openBox();
  const isRunning = async () => (await box.must('status', {})).running;
  await expect.poll(isRunning, { timeout: 20_000 }).toBe(true);
  const left = await box.codexPid();
  await box.kill();
  await forgetStart();
  expect(startTimeOf(left)).not.toBeNull();
  await box.restart();
  await expect.poll(isRunning, { timeout: 20_000 }).toBe(true);
  expect(startTimeOf(left)).toBeNull();
  expect(await box.codexPid()).not.toBe(left);
  const log = await readFile(join(box.home, 'run/server.log'), 'utf8');
  expect(log).toContain('a process that was started and not recorded was ended');
  expect(log).not.toContain('codex did not start');
});

/** The files as a server leaves them that is killed there: the moment is too short to be met for sure, so it is set up. */
async function forgetStart(): Promise<void> {
  await rm(join(box.home, 'run/codex.json'));
  const names = await readdir(box.shellsDir, { recursive: true });
  const meta = join(box.shellsDir, names.find((name) => /meta\/app_server-.*\.json$/.test(name)) ?? 'none');
  const record: Record<string, unknown> = JSON.parse(await readFile(meta, 'utf8'));
  await writeFile(
    meta,
    JSON.stringify({ ...record, state: 'starting', pid: null, start_time: null, started_at: null }),
  );
}
