/** A queue on a disk that is full for a while. */
import { expect, test } from 'vitest';
import type { ConversationMeta } from '../../contract/conversation.ts';
import { fail, ok } from '../../contract/result.ts';
import { createLogger } from '../../node/logger.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { createStoredQueue } from './stored-queue.ts';

const queued = (id: string) => ({ client_message_id: id, text: id, images: [], queued_at: '2026-01-01T00:00:00.000Z' });

function createStand() {
  const clock = createManualClock();
  let stored: ConversationMeta = { ...sampleMeta(), queue: [queued('a'), queued('b')] };
  let isFull = false;
  const queue = createStoredQueue({
    meta: () => stored,
    async changeMeta(change) {
      if (isFull) return fail('storage_full', 'the disk is full');
      stored = change(stored);
      return ok(null);
    },
    clock,
    log: createLogger({ level: 'silent' }),
  });
  const ids = () => stored.queue.map((one) => one.client_message_id);
  const setFull = (next: boolean): void => {
    isFull = next;
  };
  return { clock, queue, ids, setFull };
}

/** Lets everything go on that does not wait for the clock. */
const settle = () => new Promise((done) => setImmediate(done));

test('[OB16] a message that was given leaves the stored queue as soon as a full disk has room again', async () => {
  const { clock, queue, ids, setFull } = createStand();
  setFull(true);
  queue.remove('a');
  await settle();
  clock.advance(5_000);
  await settle();
  expect(ids()).toEqual(['a', 'b']);
  setFull(false);
  clock.advance(1_000);
  await settle();
  expect(ids()).toEqual(['b']);
  expect(clock.waiting()).toBe(0);
});

test('what is added meanwhile stays, in its place', async () => {
  const { clock, queue, ids, setFull } = createStand();
  setFull(true);
  queue.remove('a');
  await settle();
  setFull(false);
  await queue.add(queued('c'), false);
  await queue.add(queued('first'), true);
  clock.advance(1_000);
  await settle();
  expect(ids()).toEqual(['first', 'b', 'c']);
});

test('a closed queue tries nothing more', async () => {
  const { clock, queue, setFull } = createStand();
  setFull(true);
  queue.remove('a');
  queue.close();
  await settle();
  expect(clock.waiting()).toBe(0);
});
