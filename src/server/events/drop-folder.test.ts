/** A drop folder with more files than one look takes. */
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ExternalEventsConfig } from '../../contract/external-event.ts';
import { type Clock, systemClock } from '../../node/clock.ts';
import { createLogger, type Logger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { createDesk } from './desk.ts';
import { openDropFolder } from './drop-folder.ts';
import { createIntakeLimits } from './intake-limits.ts';
import { openLedger } from './ledger.ts';

const THREAD = '01a1e4f1-852f-7af0-9f4f-ec2e2a3c5e1a';
const WAIT = { timeout: 25_000, interval: 20 };
/** The same timers, fifty times as fast. */
const clock: Clock = { ...systemClock, setTimer: (ms, fn) => systemClock.setTimer(ms / 50, fn) };
const log = createLogger({ level: 'silent' });

async function openDesk(dir: string) {
  const ledger = await openLedger({ dir, retention: { maxEvents: 100, maxAgeMs: 1e12 }, clock, log });
  const config = ExternalEventsConfig.parse({});
  const desk = createDesk({
    conversationId: `conv_${'1'.repeat(32)}`,
    label: null,
    threadId: THREAD,
    ledger,
    config,
    clock,
    limits: createIntakeLimits(config, clock),
    onHeld: () => undefined,
    plan: () => ({ mode: 'notify_only', state: 'notified', rule: null, hops: 0 }),
    onAccepted: () => undefined,
    keepRejected: () => undefined,
    rejectedBefore: 0,
  });
  return { ledger, desk };
}

test('[EV11] files that cannot be taken keep none behind them from being taken', async () => {
  const dir = await makeDir('drop');
  onTestFinished(() => rm(dir, { recursive: true }));
  const path = join(dir, 'inbox');
  await mkdir(path);
  // Folders, which nobody can take, on either side of what can be.
  const stuck = (letter: string) => Array.from({ length: 1_000 }, (_, at) => `${letter}${at}.json`);
  await Promise.all([...stuck('a'), ...stuck('y')].map((name) => mkdir(join(path, name))));
  const { ledger, desk } = await openDesk(dir);
  const drop = (name: string) => {
    const event = { schema_version: 1, event_id: name, time_unix_ms: 0, type: 'a.b', title: name };
    return writeFile(join(path, `${name}.json`), JSON.stringify({ ...event, routing: { thread_id: THREAD } }));
  };
  await drop('m');
  const folder = openDropFolder({ path, desk, clock, log });
  await expect.poll(() => ledger.count(), WAIT).toBe(1);
  await drop('z');
  await drop('b');
  await expect.poll(() => ledger.count(), WAIT).toBe(3);
  await expect.poll(async () => (await readdir(path)).length, WAIT).toBe(2_000);
  await folder.stop();
  await desk.close();
});

test('[EV47] a link in the place of the folder is not followed: nothing behind it is read or removed', async () => {
  const dir = await makeDir('drop');
  onTestFinished(() => rm(dir, { recursive: true }));
  const [path, elsewhere] = [join(dir, 'inbox'), join(dir, 'elsewhere')];
  await Promise.all([path, elsewhere].map((one) => mkdir(one)));
  const event = (name: string) =>
    JSON.stringify({
      ...{ schema_version: 1, event_id: name, time_unix_ms: 0, type: 'a.b', title: name },
      routing: { thread_id: THREAD },
    });
  await writeFile(join(elsewhere, 'mine.json'), event('mine'));
  const { ledger, desk } = await openDesk(dir);
  const warned: unknown[] = [];
  const noting: Logger = Object.assign(Object.create(log), {
    warn: (_facts: unknown, text: unknown) => warned.push(text),
  });
  const folder = openDropFolder({ path, desk, clock, log: noting });
  await folder.ready;
  await rename(path, join(dir, 'moved'));
  await symlink(elsewhere, path);
  await writeFile(join(elsewhere, 'new.json'), event('new'));
  // The folder that had the name is put back with a file of its own, which is found.
  await writeFile(join(dir, 'moved', 'own.json'), event('own'));
  await expect.poll(() => warned, WAIT).toContainEqual(expect.stringContaining('no folder'));
  await rm(path);
  await rename(join(dir, 'moved'), path);
  await expect.poll(() => ledger.count(), WAIT).toBe(1);
  expect(await readFile(join(elsewhere, 'mine.json'), 'utf8')).toBe(event('mine'));
  expect((await readdir(elsewhere)).sort()).toEqual(['mine.json', 'new.json']);
  await folder.stop();
  await desk.close();
});
