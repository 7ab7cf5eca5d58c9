/** The limits of the command that is run for a person: time, number, and what a failure may do. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Lifecycle } from '../../core/conversations/lifecycle.ts';
import { createBus } from '../../node/bus.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { startNotify } from './notify.ts';

const ID = `conv_${'1'.repeat(32)}`;
const WAIT = { timeout: 10_000, interval: 10 };

/** A stand whose command is a script of this text; `$1` is the file that it writes to. */
async function stand(script: string, program?: string) {
  const dir = await makeDir('notify');
  const out = join(dir, 'out');
  const logFile = join(dir, 'log');
  await writeFile(join(dir, 'script.sh'), script);
  const bus = createBus<Lifecycle>((error) => {
    throw error;
  });
  const clock = createManualClock();
  const stop = startNotify({
    command: [program ?? '/bin/sh', join(dir, 'script.sh'), out],
    lifecycle: { subscribe: (listener) => bus.subscribe((event) => listener(ID, event)) },
    metaOf: () => null,
    env: process.env,
    clock,
    log: createLogger({ level: 'warn', file: logFile }),
  });
  onTestFinished(async () => {
    stop();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  const linesOf = async (path: string) =>
    (await readFile(path, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return {
    clock,
    stop,
    end: (turnId: string) => bus.emit({ type: 'turn_ended', turnId, status: 'completed' }),
    told: async () => (await linesOf(out)).map((line) => JSON.parse(line).turn_id),
    lines: () => linesOf(out),
    failures: async () => (await linesOf(logFile)).map((line) => JSON.parse(line).kind),
  };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('[NT5] a command that takes too long is killed, and so is what it started', async () => {
  const { clock, end, lines, failures } = await stand('sleep 600 &\necho "$! $$" >> "$1"\nwait\n');
  end('t');
  await expect.poll(async () => (await lines()).length, WAIT).toBe(1);
  const pids = (await lines())[0]?.split(' ').map(Number) ?? [];
  clock.advance(9_999);
  expect(pids.map(isAlive)).toEqual([true, true]);
  clock.advance(1);
  await expect.poll(() => pids.map(isAlive), WAIT).toEqual([false, false]);
  expect(await failures()).toEqual(['time limit']);
});

test('[NT5] four run at once; of those that wait the oldest is dropped first', async () => {
  const { clock, end, told, failures } = await stand('read -r line\necho "$line" >> "$1"\nexec sleep 600\n');
  for (let at = 0; at < 105; at += 1) end(`t${at}`);
  await expect.poll(async () => (await told()).toSorted(), WAIT).toEqual(['t0', 't1', 't2', 't3']);
  expect(clock.waiting()).toBe(4);
  expect(await failures()).toEqual(['too many waiting']);
  clock.advance(10_000);
  await expect.poll(async () => (await told()).slice(4).toSorted(), WAIT).toEqual(['t5', 't6', 't7', 't8']);
});

test('[NT6] a command that fails is run again for the next event, and is logged once', async () => {
  const { end, told, failures } = await stand('cat >> "$1"\nexit 3\n');
  end('a');
  await expect.poll(told, WAIT).toEqual(['a']);
  end('b');
  await expect.poll(told, WAIT).toEqual(['a', 'b']);
  await expect.poll(failures, WAIT).toEqual(['exit code']);
});

test('[NT6] a program that is not there is logged once', async () => {
  const { end, failures } = await stand('', '/no/such/program');
  for (const turnId of ['a', 'b', 'c']) end(turnId);
  await expect.poll(failures, WAIT).toEqual(['not started']);
});
