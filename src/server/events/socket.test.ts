/** Who sends on the event socket decides what its token is worth. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ExternalEventsConfig } from '../../contract/external-event.ts';
import { retentionOf } from '../../core/events/ledger-state.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createDesk } from './desk.ts';
import { createIntakeLimits } from './intake-limits.ts';
import { openLedger } from './ledger.ts';
import type { EventSender } from './principal.ts';
import { openEventSocket } from './socket.ts';

const THREAD = '01a1e4f1-852f-7af0-9f4f-ec2e2a3c5e1a';
const OWN = `conv_${'1'.repeat(32)}` as const;
const OTHER = `conv_${'2'.repeat(32)}` as const;

/** What a sender of this kind is answered, and whether its event counts as authenticated; null if the event was not kept. */
async function sendAs(sender: EventSender): Promise<{ answer: string; isAuthenticated: boolean | null }> {
  const dir = await makeDir('event-socket');
  onTestFinished(() => rm(dir, { recursive: true }));
  const [clock, log] = [createManualClock(), createLogger({ level: 'silent' })];
  const config = ExternalEventsConfig.parse({});
  const ledger = await openLedger({ dir, retention: retentionOf(config), clock, log });
  const planned: boolean[] = [];
  const desk = createDesk({
    conversationId: OWN,
    label: null,
    threadId: THREAD,
    ledger,
    config,
    clock,
    limits: createIntakeLimits(config, clock),
    onHeld: () => undefined,
    onAccepted: () => undefined,
    plan(event) {
      planned.push(event.trust.authenticated);
      return { mode: 'notify_only', state: 'notified', rule: null, hops: 0 };
    },
    keepRejected: () => undefined,
    rejectedBefore: 0,
  });
  const path = join(dir, 'events.sock');
  const socket = await openEventSocket({
    path,
    token: 'right',
    desk,
    onDuplicate: 'drop',
    givesWay: () => false,
    findSender: async () => sender,
    log,
  });
  const client = connect(path);
  const routing = { thread_id: THREAD };
  const event = { schema_version: 1, time_unix_ms: 0, event_id: 'e1', type: 'a.b', title: 'x', routing };
  client.write(`${JSON.stringify({ token: 'right', event })}\n`);
  const [answer] = await once(client, 'data');
  client.destroy();
  await socket.stop();
  await desk.close();
  return { answer: String(answer), isAuthenticated: planned[0] ?? null };
}

test('[AG30] an event of a program and of the conversation’s own agent counts as authenticated', async () => {
  for (const sender of [{ kind: 'program' }, { kind: 'agent', conversationId: OWN }] as const) {
    expect(await sendAs(sender)).toEqual({ answer: expect.stringContaining('"ok":true'), isAuthenticated: true });
  }
});

test('[AG30] an event of a sender that is out of sight is kept, and counts as unauthenticated', async () => {
  expect(await sendAs({ kind: 'unseen' })).toEqual({
    answer: expect.stringContaining('"ok":true'),
    isAuthenticated: false,
  });
});

test('[AG30] a command of another conversation, or of none that is known, is refused', async () => {
  for (const conversationId of [OTHER, null]) {
    expect(await sendAs({ kind: 'agent', conversationId })).toEqual({
      answer: expect.stringContaining('"code":"forbidden"'),
      isAuthenticated: null,
    });
  }
});
