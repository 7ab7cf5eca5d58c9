/** What a message waits for before it goes: events that move here from a lost thread, lie in files, or were acknowledged a moment ago. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ExternalEventsConfig } from '../../contract/external-event.ts';
import { ok } from '../../contract/result.ts';
import { systemClock as clock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { quietThreads } from '../../testing/quiet-ports.ts';
import { quietSeals } from '../../testing/quiet-seals.ts';
import { createEvents, type Events } from './events.ts';
import type { ThreadsPort } from './ports.ts';
import { openRuleBook } from './rules.ts';

const LOST = '01a1e4f1-852f-7af0-9f4f-ec2e2a3c5e1a';
const THREAD = '01a1e4f1-852f-7af0-9f4f-ec2e2a3c5e1b';
const conversationId = `conv_${'1'.repeat(32)}`;
const find: ThreadsPort['find'] = async (threadId) => ({
  conversationId,
  label: null,
  lostThreads: threadId === THREAD ? [LOST] : [],
});

const eventFor = (thread_id: string, event_id: string) => ({
  schema_version: 1,
  event_id,
  time_unix_ms: 0,
  type: 'a.b',
  title: 'x',
  source: { name: 'ci' },
  routing: { thread_id },
});

async function open(codexHome: string, threads: ThreadsPort, given: Record<string, unknown>): Promise<Events> {
  const config = ExternalEventsConfig.parse({ sources: [{ type: 'uds', enabled: false }], ...given });
  return createEvents({
    config,
    codexHome,
    rules: await openRuleBook(codexHome, config, quietSeals),
    threads,
    hub: { broadcast: () => undefined },
    httpUrl: 'http://127.0.0.1:1',
    findSender: async () => ({ kind: 'program' }),
    clock,
    log: createLogger({ level: 'silent' }),
  });
}

/** A home in which an event waits at the thread that Codex lost. */
async function makeHome(): Promise<string> {
  const codexHome = await makeDir('move-turn');
  onTestFinished(() => rm(codexHome, { recursive: true }));
  const before = await open(codexHome, quietThreads({ find }), {});
  await before.publish(eventFor(LOST, 'waiting'), { kind: 'api_token' }, 'http');
  await before.close();
  return codexHome;
}

test('[EV42] a turn that an event starts while others still move here from a lost thread waits for them, and they for nothing', async () => {
  const codexHome = await makeHome();
  let begin = (): void => undefined;
  const begun = new Promise<void>((done) => {
    begin = done;
  });
  let isStarted = false;
  const threads = quietThreads({
    find,
    async append(_id, entry) {
      // The last step of the moving takes until the turn is being started.
      if (entry.role === 'external_event' && entry.kind === 'moved') await begun;
      return ok(1);
    },
    async deliver(_id, input) {
      const isWaking = input.type === 'events_arrived' && input.batches.some((one) => one.mode === 'auto_turn');
      if (!isWaking) return ok(null);
      begin();
      // As the outbox does when it loads the thread for a message.
      void events.desks.catchUp(THREAD).then(() => {
        isStarted = true;
      });
      return ok(null);
    },
  });
  const events = await open(codexHome, threads, {
    rules: [{ match_type: '*', delivery: 'auto_turn', allow_sources: ['ci'] }],
  });
  await events.publish(eventFor(THREAD, 'waking'), { kind: 'api_token' }, 'http');
  await expect.poll(() => isStarted, { timeout: 15_000 }).toBe(true);
  const desk = await events.desks.open(THREAD);
  expect(desk?.ledger.count()).toBe(2);
  await events.close();
});

test('[EV42] a message that has caught up finds the events of a lost thread in the outbox', async () => {
  const codexHome = await makeHome();
  const told: number[] = [];
  const threads = quietThreads({
    find,
    async deliver(_id, input) {
      if (input.type === 'events_arrived') told.push(...input.batches.flatMap((one) => one.seqs));
      return ok(null);
    },
  });
  const events = await open(codexHome, threads, {});
  await events.desks.catchUp(THREAD);
  const desk = await events.desks.open(THREAD);
  expect(told).toEqual([...(desk?.ledger.events() ?? [])].map((one) => one.event_seq));
  expect(told).toHaveLength(1);
  await events.close();
});

test('[EV33] a message that has caught up finds the events that lay in the inbox and those that waited in the ledger', async () => {
  const codexHome = await makeDir('catch-up');
  onTestFinished(() => rm(codexHome, { recursive: true }));
  const before = await open(codexHome, quietThreads(), {});
  await before.publish(eventFor(THREAD, 'in the ledger'), { kind: 'api_token' }, 'http');
  await before.close();
  const dir = join(codexHome, 'sessions', THREAD);
  await writeFile(join(dir, 'external_events.inbox.jsonl'), `${JSON.stringify(eventFor(THREAD, 'in the inbox'))}\n`);
  let release = (): void => undefined;
  const stored = new Promise<void>((done) => {
    release = done;
  });
  const told = new Set<number>();
  const threads = quietThreads({
    async append() {
      await stored;
      return ok(1);
    },
    async deliver(_id, input) {
      if (input.type === 'events_arrived') for (const one of input.batches) for (const seq of one.seqs) told.add(seq);
      return ok(null);
    },
  });
  const events = await open(codexHome, threads, {});
  const caughtUp = events.desks.catchUp(THREAD).then(() => [...told].toSorted());
  const desk = await events.desks.open(THREAD);
  await expect.poll(() => desk?.ledger.count()).toBe(2);
  // Long enough for one that does not wait for the transcript.
  for (let round = 0; round < 100; round += 1) await new Promise((done) => setImmediate(done));
  release();
  expect(await caughtUp).toEqual([...(desk?.ledger.events() ?? [])].map((one) => one.event_seq));
  await events.close();
});

test('[EV26] a message that is sent right after several events were acknowledged finds all of them in the outbox', async () => {
  const codexHome = await makeDir('catch-up');
  onTestFinished(() => rm(codexHome, { recursive: true }));
  const told: number[] = [];
  const threads = quietThreads({
    async deliver(_id, input) {
      if (input.type === 'events_arrived') told.push(...input.batches.flatMap((one) => one.seqs));
      return ok(null);
    },
  });
  const events = await open(codexHome, threads, {});
  for (const id of ['one', 'two', 'three']) await events.publish(eventFor(THREAD, id), { kind: 'api_token' }, 'http');
  await events.desks.catchUp(THREAD);
  expect(told).toEqual([1, 2, 3]);
  await events.close();
});
