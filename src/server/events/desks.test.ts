/** Desks of threads that nobody touches. */
import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ExternalEventsConfig } from '../../contract/external-event.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { quietThreads } from '../../testing/quiet-ports.ts';
import { createDesks } from './desks.ts';

const THREAD = '01a1e4f1-852f-7af0-9f4f-ec2e2a3c5e1a';
const DAY_MS = 24 * 3_600_000;

test('[EV14] events of a thread that nobody touches go in their time, and nothing is looked at once it is closed', async () => {
  const codexHome = await makeDir('desks');
  onTestFinished(() => rm(codexHome, { recursive: true }));
  const clock = createManualClock();
  const desks = createDesks({
    config: ExternalEventsConfig.parse({}),
    codexHome,
    threads: quietThreads(),
    httpUrl: '',
    findSender: async () => ({ kind: 'program' }),
    clock,
    log: createLogger({ level: 'silent' }),
    plan: () => ({ mode: 'notify_only', state: 'notified', rule: null, hops: 0 }),
    onHeld: () => undefined,
    onAccepted: () => undefined,
    onOpened: async () => undefined,
    handOver: async () => undefined,
    move: async () => undefined,
  });
  const desk = await desks.open(THREAD);
  const event = { schema_version: 1, time_unix_ms: 0, type: 'a.b', title: 'x', routing: { thread_id: THREAD } };
  const take = (id: string) => desk?.takeText(JSON.stringify({ ...event, event_id: id }), { kind: 'file' }, 'file');
  const taken = ['read', 'unread'].map(take);
  for (const one of taken) if (one?.verdict === 'accepted') await one.done;
  await desk?.ledger.mark([1], true);
  clock.advance(6 * DAY_MS);
  await desk?.ledger.letGo();
  expect(desk?.ledger.count()).toBe(2);
  clock.advance(2 * DAY_MS);
  await expect.poll(() => desk?.ledger.count(), { timeout: 25_000 }).toBe(1);
  await desks.close();
  expect(clock.waiting()).toBe(0);
});
