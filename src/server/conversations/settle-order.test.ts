/** A delivered message, its events and its context: in which order they are noted on disk, and what a failure in between leaves. */
import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { digest } from '../../../test/recording.ts';
import { ok } from '../../contract/result.ts';
import { fragmentOf } from '../../core/context/fragment.ts';
import { EVENTS } from '../../core/context/specs.ts';
import { systemClock as clock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { batch } from '../../testing/outbox-script.ts';
import { quietCodex, quietConversation } from '../../testing/quiet-ports.ts';
import { quietSeals } from '../../testing/quiet-seals.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { openConversation } from './conversation.ts';
import { createConversationStore } from './store.ts';

const log = createLogger({ level: 'silent' });
const THREAD = '01a1e4f1-852f-7af0-9f4f-ec2e2a3c5e1a';

/** A conversation whose message carries event 1; `note` is the ledger. Tells what was settled. */
async function deliverWith(note: () => Promise<void>): Promise<string[]> {
  const home = await makeDir('settle-order');
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const store = createConversationStore({ home, seals: quietSeals, clock, log, onStorage: () => undefined });
  const settled: string[] = [];
  const codex = quietCodex({
    resumeThread: async () => ok(null),
    startTurn: async () => ok('turn'),
  });
  const meta = { ...sampleMeta(), cwd: home, thread_id: THREAD };
  const carried = [fragmentOf(EVENTS, 'an event', ['1'])];
  const conversation = await openConversation(
    meta,
    quietConversation(
      { clock, log, store, digest, codex },
      {
        events: { catchUp: async () => undefined, note, beginInjection: async () => null },
        context: {
          prepare: async () => ({ carried }),
          settle: async (_id, message, isDelivered) => void settled.push(`${message} ${isDelivered}`),
          eventsOf: async () => [],
        },
      },
    ),
  );
  const { outbox, session } = conversation;
  outbox.accept({
    type: 'events_arrived',
    batches: [batch('queue_for_next_turn', [1])],
    isRecovery: false,
    isOverLimit: false,
  });
  const sent = await outbox.send({ clientMessageId: 'm1', text: 'words', images: [] }, 'send');
  expect(sent).toMatchObject({ ok: true });
  outbox.accept({ type: 'echoed', id: 'm1', turnId: 'turn', itemId: 'item' });
  // After its entry and all that was begun before it.
  await session.append({ role: 'warning', code: 'last', text: '' });
  await new Promise((done) => setImmediate(done));
  await conversation.close();
  return settled;
}

test('[OB22] the context of a delivered message is settled after its events are noted', async () => {
  const order: string[] = [];
  const settled = await deliverWith(async () => {
    await new Promise((done) => setImmediate(done));
    order.push('noted');
  });
  expect(order).toEqual(['noted']);
  expect(settled).toEqual(['m1 true']);
});

test('[OB32] when noting its events fails, the context of a delivered message stays unsettled for the next start', async () => {
  expect(await deliverWith(() => Promise.reject(new Error('the ledger is closed')))).toEqual([]);
});
