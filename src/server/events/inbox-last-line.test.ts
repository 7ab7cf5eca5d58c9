/** The last line of an inbox, whole but for its end, when we are killed: stored once. */
import { appendFile, copyFile, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ExternalEventsConfig } from '../../contract/external-event.ts';
import { type Clock, systemClock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { createDesk } from './desk.ts';
import { openInbox } from './inbox.ts';
import { createIntakeLimits } from './intake-limits.ts';
import { openLedger } from './ledger.ts';

const THREAD = '01a1e4f1-852f-7af0-9f4f-ec2e2a3c5e1a';
const WAIT = { timeout: 25_000, interval: 10 };
const MAX_AGE_MS = 1e12;
/** The same timers, fifty times as fast. */
const clock: Clock = { ...systemClock, setTimer: (ms, fn) => systemClock.setTimer(ms / 50, fn) };
const log = createLogger({ level: 'silent' });
const lineOf = (id: string) =>
  JSON.stringify({ schema_version: 1, event_id: id, time_unix_ms: 0, type: 'a.b', title: id });

let dir = '';
beforeEach(async () => {
  dir = await makeDir('last-line');
});
afterEach(() => rm(dir, { recursive: true }));

async function start() {
  const path = join(dir, 'inbox.jsonl');
  const cursorPath = join(dir, 'state.json');
  const cursor = await readFile(cursorPath).catch(() => null);
  const ledger = await openLedger({ dir, retention: { maxEvents: 100, maxAgeMs: MAX_AGE_MS }, clock, log });
  const desk = createDesk({
    conversationId: `conv_${'1'.repeat(32)}`,
    label: null,
    threadId: THREAD,
    ledger,
    config: ExternalEventsConfig.parse({}),
    clock,
    limits: createIntakeLimits(ExternalEventsConfig.parse({}), clock),
    onHeld: () => undefined,
    plan: () => ({ mode: 'notify_only', state: 'notified', rule: null, hops: 0 }),
    onAccepted: () => undefined,
    keepRejected: () => undefined,
    rejectedBefore: 0,
  });
  const inbox = await openInbox({ path, cursorPath, desk, maxAgeMs: MAX_AGE_MS, clock, log });
  await inbox.ready;
  return {
    path,
    ids: async () =>
      (await ledger.describe([...ledger.events()].map((one) => one.event_seq))).map((one) => one.event_id),
    /** The ledger is as it is, and nothing is known of how far the inbox was read. */
    async kill() {
      await inbox.stop();
      await desk.close();
      if (cursor === null) await rm(cursorPath, { force: true });
      else await writeFile(cursorPath, cursor);
    },
  };
}

test('[EV10] it is stored once when its end comes after the restart', async () => {
  const first = await start();
  await appendFile(first.path, `${lineOf('one')}\n${lineOf('two')}`);
  await expect.poll(first.ids, WAIT).toEqual(['one']);
  await first.kill();
  const second = await start();
  expect(await second.ids()).toEqual(['one']);
  await appendFile(second.path, `\n${lineOf('three')}\n`);
  await expect.poll(second.ids, WAIT).toEqual(['one', 'two', 'three']);
  await second.kill();
});

test('[EV10] it is stored once when its file was rotated and it never ends, or ends late', async () => {
  const first = await start();
  await appendFile(first.path, `${lineOf('one')}\n${lineOf('two')}`);
  await expect.poll(first.ids, WAIT).toEqual(['one']);
  const aside = `${first.path}.1`;
  await rename(first.path, aside);
  // Long ago, so that nobody is expected to end it.
  const past = systemClock.now() / 1_000 - 60;
  await utimes(aside, past, past);
  await writeFile(first.path, `${lineOf('three')}\n`);
  const all = ['one', 'three', 'two'];
  await expect.poll(async () => (await first.ids()).sort(), WAIT).toEqual(all);
  await first.kill();
  await appendFile(aside, '\n');
  await copyFile(aside, `${first.path}.2`);
  const second = await start();
  await appendFile(second.path, `${lineOf('zero')}\n`);
  await expect.poll(async () => (await second.ids()).sort(), WAIT).toEqual([...all, 'zero']);
  await second.kill();
});
