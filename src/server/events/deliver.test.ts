/** Between a ledger and the outbox: what the outbox is told of events, and what is stored of what became of them. */
import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type EventStanding, ExternalEventsConfig } from '../../contract/external-event.ts';
import { fail, ok } from '../../contract/result.ts';
import { systemClock as clock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { quietThreads } from '../../testing/quiet-ports.ts';
import { createDelivery } from './deliver.ts';
import { createDesk, type Desk } from './desk.ts';
import { createIntakeLimits } from './intake-limits.ts';
import { openLedger } from './ledger.ts';
import type { ThreadsPort } from './ports.ts';

const THREAD = '01a1e4f1-852f-7af0-9f4f-ec2e2a3c5e1a';
const log = createLogger({ level: 'silent' });
const QUEUED = { state: 'queued', mode: 'queue_for_next_turn' } as const;

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
    limits: createIntakeLimits(ExternalEventsConfig.parse({}), clock),
    onHeld: () => undefined,
    plan: () => ({ ...QUEUED, rule: null, hops: 0 }),
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

/** Delivery that keeps what the outbox was told and what the transcript was. */
function createStand(change: Partial<ThreadsPort> = {}) {
  const inputs: Parameters<ThreadsPort['deliver']>[1][] = [];
  const told: [readonly number[], EventStanding][] = [];
  const threads = quietThreads({
    async deliver(_id, input) {
      inputs.push(input);
      return ok(null);
    },
    ...change,
  });
  const delivery = createDelivery({
    threads,
    async tell(_desk, seqs, standing) {
      told.push([seqs, standing]);
    },
    log,
  });
  return { delivery, inputs, told };
}

const seqsOf = (desk: Desk): number[] => [...desk.ledger.events()].map((one) => one.event_seq);
const WAITING = { hops: 0, turnId: null, isHeld: false, isBlocked: false };

test('[EV29] events that arrived are told to the outbox as they were planned; a steer names its turn', async () => {
  const desk = await openDesk([QUEUED, QUEUED, QUEUED, QUEUED]);
  const status = { turnId: 'running', isLoaded: true, isArchived: false, areEventsOn: true, autoTurnsInARow: 0 };
  const { delivery, inputs } = createStand({ status: () => status });
  await delivery.arrived(desk, [
    { standing: QUEUED, seqs: [1], hops: 2, turnId: null },
    { standing: { state: 'queued', mode: 'turn_steer' }, seqs: [2], hops: 0, turnId: null },
    { standing: { state: 'queued', mode: 'turn_steer' }, seqs: [3], hops: 0, turnId: 'named' },
    { standing: { state: 'held', mode: 'append_to_thread', reason: 'turned_off' }, seqs: [4], hops: 0, turnId: null },
  ]);
  expect(inputs).toEqual([
    {
      type: 'events_arrived',
      isRecovery: false,
      isOverLimit: false,
      batches: [
        { ...WAITING, mode: 'queue_for_next_turn', seqs: [1], hops: 2 },
        { ...WAITING, mode: 'turn_steer', seqs: [2], turnId: 'running' },
        { ...WAITING, mode: 'turn_steer', seqs: [3], turnId: 'named' },
        { ...WAITING, mode: 'append_to_thread', seqs: [4], isHeld: true },
      ],
    },
  ]);
});

test('[EV24] an event that waits for its thread is not held by a person: the outbox appends it', async () => {
  const desk = await openDesk([QUEUED]);
  const { delivery, inputs } = createStand();
  const standing = { state: 'held', mode: 'append_to_thread', reason: 'thread_not_loaded' } as const;
  await delivery.arrived(desk, [{ standing, seqs: [1], hops: 0, turnId: null }]);
  expect(inputs).toMatchObject([{ batches: [{ mode: 'append_to_thread', isHeld: false }] }]);
});

test('[EV32] what is only shown or dropped does not reach the outbox', async () => {
  const desk = await openDesk([QUEUED]);
  const { delivery, inputs } = createStand();
  await delivery.arrived(desk, [
    { standing: { state: 'notified', mode: 'notify_only' }, seqs: [1], hops: 0, turnId: null },
    { standing: { state: 'dropped', mode: 'drop', reason: 'rule' }, seqs: [2], hops: 0, turnId: null },
  ]);
  expect(inputs).toEqual([]);
});

test('[EV23] an event that wanted one turn too many says so to the outbox', async () => {
  const desk = await openDesk([QUEUED]);
  const { delivery, inputs } = createStand();
  await delivery.arrived(desk, [
    { standing: { ...QUEUED, reason: 'hop_limit' }, seqs: seqsOf(desk), hops: 3, turnId: null },
  ]);
  expect(inputs).toMatchObject([{ isOverLimit: true, batches: [{ mode: 'queue_for_next_turn', hops: 3 }] }]);
});

test('[EV33] a conversation that cannot be opened loses no event', async () => {
  const desk = await openDesk([QUEUED]);
  const { delivery } = createStand({ deliver: async () => fail('not_found', 'no') });
  await delivery.arrived(desk, [{ standing: QUEUED, seqs: seqsOf(desk), hops: 0, turnId: null }]);
  expect([...desk.ledger.events()]).toMatchObject([QUEUED]);
});

test('[EV33] what waited is told to the outbox again; a steer belongs to a turn that was and waits for a message', async () => {
  const desk = await openDesk([
    { state: 'queued', mode: 'auto_turn' },
    { state: 'queued', mode: 'turn_steer' },
    { state: 'held', mode: 'queue_for_next_turn', reason: 'turned_off' },
    { state: 'delivered', mode: 'queue_for_next_turn', turn_id: 'turn' },
  ]);
  const [auto, steer, held] = seqsOf(desk);
  const { delivery, inputs, told } = createStand();
  await delivery.recover(desk);
  const late = { ...QUEUED, reason: 'restarted' };
  expect(told).toEqual([[[steer], late]]);
  expect(desk.ledger.event(steer ?? 0)).toMatchObject(late);
  expect(inputs).toEqual([
    {
      type: 'events_arrived',
      isRecovery: true,
      isOverLimit: false,
      batches: [
        { ...WAITING, mode: 'auto_turn', seqs: [auto] },
        { ...WAITING, mode: 'queue_for_next_turn', seqs: [steer] },
        { ...WAITING, mode: 'queue_for_next_turn', seqs: [held], isHeld: true },
      ],
    },
  ]);
});

test('[EV28] an injection that a crash cut off is for the outbox to look up: it is not told as waiting', async () => {
  const sending = { state: 'sending', mode: 'append_to_thread' } as const;
  const desk = await openDesk([sending, sending, { state: 'queued', mode: 'append_to_thread' }]);
  const [first, second, third] = seqsOf(desk);
  const { delivery, inputs } = createStand({ hasKept: () => expect.unreachable() });
  await delivery.recover(desk);
  const batch = { ...WAITING, mode: 'append_to_thread' };
  expect(inputs).toMatchObject([
    { type: 'injections_recovered', injections: [{ id: 'dlv_before', batch: { ...batch, seqs: [first, second] } }] },
    { type: 'events_arrived', batches: [{ ...batch, seqs: [third] }] },
  ]);
});

test('[EV33] a sending of an older version counts as told if Codex has kept it, and waits otherwise', async () => {
  const desk = await openDesk([{ state: 'sending', mode: 'auto_turn' }]);
  const [seq] = seqsOf(desk);
  const lost = createStand();
  await lost.delivery.recover(desk);
  expect(lost.inputs).toMatchObject([{ batches: [{ mode: 'auto_turn', seqs: [seq] }] }]);
  const kept = createStand({ hasKept: async (_id, text) => text === 'dlv_before' });
  await kept.delivery.recover(desk);
  expect(kept.inputs).toEqual([]);
  expect(desk.ledger.event(seq ?? 0)).toMatchObject({ state: 'delivered', mode: 'auto_turn' });
});

test('[EV33] an event that a message delivers while its last sending is looked up is not told a second time', async () => {
  const desk = await openDesk([{ state: 'sending', mode: 'auto_turn' }]);
  const seqs = seqsOf(desk);
  const { delivery, inputs } = createStand({
    async hasKept() {
      await delivery.note(desk, seqs, { state: 'delivered', mode: 'queue_for_next_turn', turn_id: 'turn' });
      return false;
    },
  });
  await delivery.recover(desk);
  expect(desk.ledger.event(seqs[0] ?? 0)).toMatchObject({ state: 'delivered', turn_id: 'turn' });
  expect(inputs).toEqual([]);
});

test('[EV27] what became of events is stored once and in order; a delivered event keeps its mode', async () => {
  const desk = await openDesk([QUEUED, { state: 'queued', mode: 'auto_turn' }]);
  const [first, second] = seqsOf(desk);
  const { delivery, told } = createStand();
  const held = { state: 'held', mode: 'queue_for_next_turn', reason: 'turned_off' } as const;
  const delivered = { state: 'delivered', turn_id: 'turn' } as const;
  await Promise.all([
    delivery.note(desk, [first ?? 0], held),
    delivery.note(desk, [first ?? 0], held),
    delivery.note(desk, seqsOf(desk), { ...delivered, mode: 'queue_for_next_turn' }),
    delivery.note(desk, [second ?? 0], held),
  ]);
  await delivery.drain();
  expect(told).toEqual([
    [[first], held],
    [[first], { ...delivered, mode: 'queue_for_next_turn' }],
    [[second], { ...delivered, mode: 'auto_turn' }],
  ]);
});

test('[EV26] events that a message carried while they were let go again are not told a second time', async () => {
  const held = { state: 'held', reason: 'turned_off' } as const;
  const desk = await openDesk([
    { ...held, mode: 'append_to_thread' },
    { ...held, mode: 'queue_for_next_turn' },
  ]);
  const [, seq = 0] = seqsOf(desk);
  const { delivery } = createStand();
  await delivery.note(desk, [seq], { state: 'delivered', mode: 'queue_for_next_turn', turn_id: 'turn' });
  await delivery.note(desk, [seq], QUEUED);
  expect(desk.ledger.event(seq)).toMatchObject({ state: 'delivered', turn_id: 'turn' });
  expect(await delivery.fragments(desk, [seq], 'dlv')).toEqual([]);
});

test('[EV26] a message carries the events that wait, in one fragment that names them', async () => {
  const desk = await openDesk([QUEUED, { state: 'delivered', mode: 'queue_for_next_turn' }, QUEUED]);
  const [first, told, third] = seqsOf(desk);
  const [fragment, ...others] = await createStand().delivery.fragments(desk, [first, told, third, 99].map(Number), 'd');
  expect(others).toEqual([]);
  expect(fragment).toMatchObject({ name: 'events', kind: 'untrusted', ids: [String(first), String(third)] });
  expect(fragment?.value).toContain('"id":"e0"');
  expect(fragment?.value).not.toContain('"id":"e1"');
});

test('[EV28] an injection is in the ledger under its id before it goes, with the note where that is on', async () => {
  const desk = await openDesk([{ state: 'queued', mode: 'append_to_thread' }]);
  const seqs = seqsOf(desk);
  const { delivery } = createStand();
  const [note, fragment] = await delivery.beginInjection(desk, seqs, 'dlv_1', true);
  expect(note?.name).toBe('policy');
  expect(fragment?.value).toContain('"id":"e0"');
  expect(fragment?.value).toContain('dlv_1');
  expect(desk.ledger.event(seqs[0] ?? 0)).toMatchObject({ state: 'sending', delivery_id: 'dlv_1' });
  const bare = await delivery.beginInjection(desk, seqs, 'dlv_2', false);
  expect(bare.map((one) => one.name)).toEqual(['events']);
});

test('[EV26] events that are carried in another order than they arrived in are all told', async () => {
  const desk = await openDesk([QUEUED, QUEUED, QUEUED]);
  const [first, second, third] = seqsOf(desk);
  const [fragment] = await createStand().delivery.fragments(desk, [first, third, second].map(Number), 'd');
  for (const id of ['e0', 'e1', 'e2']) expect(fragment?.value).toContain(`"id":"${id}"`);
});

test('[OB32] where events stand that could not be stored is said to the caller, and what comes after is stored', async () => {
  const desk = await openDesk([QUEUED, QUEUED]);
  const [first = 0, second = 0] = seqsOf(desk);
  const { delivery } = createStand();
  const refusing = { ...desk, ledger: { ...desk.ledger, note: () => Promise.reject(new Error('the log is closed')) } };
  await expect(delivery.note(refusing, [first], { ...QUEUED, state: 'delivered' })).rejects.toThrow(
    'the log is closed',
  );
  await delivery.note(desk, [second], { ...QUEUED, state: 'delivered' });
  expect(desk.ledger.event(second)?.state).toBe('delivered');
});
