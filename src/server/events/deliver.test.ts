/** What becomes of events that a message takes along while delivery looks after them. */
import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type EventStanding, ExternalEventsConfig } from '../../contract/external-event.ts';
import { fail } from '../../contract/result.ts';
import { systemClock as clock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { createDelivery, type Delivery } from './deliver.ts';
import { createDesk, type Desk } from './desk.ts';
import { openLedger } from './ledger.ts';
import type { ThreadsPort } from './ports.ts';

const THREAD = '01a1e4f1-852f-7af0-9f4f-ec2e2a3c5e1a';
const log = createLogger({ level: 'silent' });
const refused = async () => fail('internal', 'not in this test');
const threads: ThreadsPort = {
  find: async () => null,
  status: () => ({ turnId: null, isLoaded: false, isArchived: false, areEventsOn: true }),
  capabilities: () => ({ canSteer: true, canInject: true }),
  isAnyTurnRunning: () => false,
  append: refused,
  inject: refused,
  steer: refused,
  startTurn: refused,
  hasKept: async () => false,
};

/** A desk with one event for each of these standings. */
async function openDesk(standings: readonly EventStanding[]): Promise<Desk> {
  const dir = await makeDir('deliver');
  const ledger = await openLedger({ dir, retention: { maxEvents: 100, maxAgeMs: 1e9 }, clock, log });
  const desk = createDesk({
    conversationId: `conv_${'1'.repeat(32)}`,
    label: null,
    threadId: THREAD,
    ledger,
    config: ExternalEventsConfig.parse({}),
    clock,
    plan: () => ({ mode: 'queue_for_next_turn', state: 'queued', rule: null, hops: 0 }),
    onAccepted: () => undefined,
    keepRejected: () => undefined,
    rejectedBefore: 0,
  });
  const event = { schema_version: 1, time_unix_ms: 0, type: 'a.b', title: 'x', routing: { thread_id: THREAD } };
  for (const [at, standing] of standings.entries()) {
    const taken = desk.takeText(JSON.stringify({ ...event, event_id: `e${at}` }), { kind: 'file' }, 'file');
    if (taken.verdict !== 'accepted') throw new Error(taken.verdict);
    await ledger.note([taken.kept.event_seq], standing, standing.state === 'sending' ? 'dlv_before' : undefined);
  }
  onTestFinished(async () => {
    await desk.close();
    await rm(dir, { recursive: true });
  });
  return desk;
}

test('[EV26] events that a message takes along while they are being let go again are not told a second time', async () => {
  const held = { state: 'held', reason: 'turned_off' } as const;
  const desk = await openDesk([
    { ...held, mode: 'append_to_thread' },
    { ...held, mode: 'queue_for_next_turn' },
  ]);
  const [, second] = [...desk.ledger.events()];
  const seq = second?.event_seq ?? 0;
  const delivery: Delivery = createDelivery({
    threads,
    async tell(_desk, _seqs, { state, mode }) {
      if (mode === 'append_to_thread' && state === 'queued') await delivery.settled(desk, [seq], 'turn');
    },
    newId: () => 'dlv_new',
    clock,
    log,
  });
  await delivery.switched(desk);
  expect(desk.ledger.event(seq)).toMatchObject({ state: 'delivered', turn_id: 'turn' });
  expect(await delivery.collect(desk)).toEqual([]);
  await delivery.stop();
});

test('[EV33] an event that a message takes along while its last sending is looked up is not told a second time', async () => {
  const desk = await openDesk([{ state: 'sending', mode: 'auto_turn' }]);
  const [first] = [...desk.ledger.events()];
  const seq = first?.event_seq ?? 0;
  const delivery: Delivery = createDelivery({
    threads: {
      ...threads,
      async hasKept() {
        await delivery.settled(desk, [seq], 'turn');
        return false;
      },
    },
    tell: async () => undefined,
    newId: () => 'dlv_new',
    clock,
    log,
  });
  await delivery.recover(desk);
  expect(desk.ledger.event(seq)).toMatchObject({ state: 'delivered', turn_id: 'turn' });
  await delivery.stop();
});
