/** The sidecar while several changes are on their way to a disk that refuses some of them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConversationMeta } from '../../contract/conversation.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { createStoredMeta } from './stored-meta.ts';

function createStand(stored: ConversationMeta = sampleMeta()) {
  const disk: ConversationMeta[] = [stored];
  const waiting: ((isFull: boolean) => void)[] = [];
  const meta = createStoredMeta({
    stored,
    save: (next) =>
      new Promise<Result<null>>((done) => {
        waiting.push((isFull) => {
          if (!isFull) disk.push(next);
          done(isFull ? fail('storage_full', 'the disk is full') : ok(null));
        });
      }),
    now: () => '2026-01-01T00:00:00.000Z',
    onStored: () => undefined,
  });
  const settled = () => new Promise((done) => setImmediate(done));
  const answer = async (isFull: boolean) => {
    await settled();
    waiting.shift()?.(isFull);
    await settled();
  };
  return { meta, disk: () => disk.at(-1), answer, settled };
}

const queued = (id: string) => ({ client_message_id: id, text: id, images: [], queued_at: '2026-01-01T00:00:00.000Z' });
const add = (id: string) => (meta: ConversationMeta) => ({ ...meta, queue: [...meta.queue, queued(id)] });
const idsOf = (meta: ConversationMeta | undefined) => meta?.queue.map((one) => one.client_message_id);

test('[OB8] a message that the full disk refused is in no queue, also when another change came before the refusal', async () => {
  const { meta, disk, answer } = createStand();
  const refused = meta.change(add('refused'));
  await answer(true);
  const late = meta.change(add('refused too'));
  const noted = meta.change((now) => ({ ...now, preview: 'seen' }));
  const kept = meta.change(add('kept'));
  await answer(true);
  await answer(false);
  await answer(false);
  expect([(await refused).ok, (await late).ok, (await noted).ok, (await kept).ok]).toEqual([false, false, true, true]);
  expect(idsOf(meta.current())).toEqual(['kept']);
  expect(idsOf(disk())).toEqual(['kept']);
  expect(disk()?.preview).toBe('seen');
});

test('a change is seen at once, and one that was only noted is stored with the next', async () => {
  const { meta, disk, answer, settled } = createStand();
  void meta.change(add('a'));
  expect(idsOf(meta.current())).toEqual(['a']);
  await settled();
  meta.note((now) => ({ ...now, unread: 7 }));
  await answer(false);
  expect([meta.current().unread, disk()?.unread]).toEqual([7, sampleMeta().unread]);
  void meta.change(add('b'));
  await answer(false);
  expect([idsOf(disk()), disk()?.unread]).toEqual([['a', 'b'], 7]);
});

test('[OB8] after any mix of refusals memory and disk have exactly the changes that were stored, in their order', async () => {
  const step = fc.record({ isFull: fc.boolean(), changesBefore: fc.integer({ min: 0, max: 3 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { meta, disk, answer } = createStand();
      const results: { id: string; outcome: Promise<Result<null>> }[] = [];
      let open = 0;
      for (const { isFull, changesBefore } of steps) {
        for (let n = 0; n < changesBefore; n += 1) {
          const id = `m${results.length}`;
          results.push({ id, outcome: meta.change(add(id)) });
          open += 1;
        }
        if (open === 0) continue;
        open -= 1;
        await answer(isFull);
      }
      for (; open > 0; open -= 1) await answer(false);
      const stored: string[] = [];
      for (const { id, outcome } of results) if ((await outcome).ok) stored.push(id);
      expect(idsOf(meta.current())).toEqual(stored);
      expect(idsOf(disk())).toEqual(stored);
    }),
    { numRuns: 300 },
  );
});
