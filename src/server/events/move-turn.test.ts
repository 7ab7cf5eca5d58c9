/** What waited at a lost thread goes along while something else begins at the thread that took its place. */
import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ExternalEventsConfig } from '../../contract/external-event.ts';
import { fail, ok } from '../../contract/result.ts';
import { systemClock as clock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { createEvents, type Events } from './events.ts';
import type { ThreadsPort } from './ports.ts';
import { openRuleBook } from './rules.ts';

const LOST = '01a1e4f1-852f-7af0-9f4f-ec2e2a3c5e1a';
const THREAD = '01a1e4f1-852f-7af0-9f4f-ec2e2a3c5e1b';
const conversationId = `conv_${'1'.repeat(32)}`;
const refused = async () => fail('internal', 'not in this test');

const quiet: ThreadsPort = {
  find: async (threadId) => ({ conversationId, label: null, lostThreads: threadId === THREAD ? [LOST] : [] }),
  status: () => ({ turnId: null, isLoaded: true, isArchived: false, areEventsOn: true }),
  capabilities: () => ({ canSteer: true, canInject: true }),
  isAnyTurnRunning: () => false,
  append: async () => ok(1),
  inject: refused,
  steer: refused,
  startTurn: refused,
  hasKept: async () => false,
};

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
    rules: await openRuleBook(codexHome, config),
    threads,
    hub: { broadcast: () => undefined },
    httpUrl: 'http://127.0.0.1:1',
    clock,
    log: createLogger({ level: 'silent' }),
  });
}

test('[EV42] a turn that an event starts while others still move here from a lost thread waits for them, and they for nothing', async () => {
  const codexHome = await makeDir('move-turn');
  onTestFinished(() => rm(codexHome, { recursive: true }));
  const before = await open(codexHome, quiet, {});
  await before.publish(eventFor(LOST, 'waiting'), { kind: 'api_token' }, 'http');
  await before.close();

  let begin = (): void => undefined;
  const begun = new Promise<void>((done) => {
    begin = done;
  });
  let isStarted = false;
  const threads: ThreadsPort = {
    ...quiet,
    async append(_id, entry) {
      // The last step of the moving takes until the turn is being started.
      if (entry.role === 'external_event' && entry.reason === 'thread_replaced') await begun;
      return ok(1);
    },
    async startTurn() {
      begin();
      // As a message does that collects what it is to carry.
      await events.desks.catchUp(THREAD);
      isStarted = true;
      return ok({ turnId: 'turn' });
    },
  };
  const events = await open(codexHome, threads, {
    rules: [{ match_type: '*', delivery: 'auto_turn', allow_sources: ['ci'] }],
  });
  await events.publish(eventFor(THREAD, 'waking'), { kind: 'api_token' }, 'http');
  await expect.poll(() => isStarted, { timeout: 15_000 }).toBe(true);
  const desk = await events.desks.open(THREAD);
  expect(desk?.ledger.count()).toBe(2);
  await events.close();
});
