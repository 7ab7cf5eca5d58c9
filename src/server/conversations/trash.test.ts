/** The trash: what is in it is known by its thread, and leaves it only when the thread is gone. */
import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock as clock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { quietSeals } from '../../testing/quiet-seals.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { createConversationStore } from './store.ts';

const THREAD = '0199a7c4-5d1e-7f00-8000-0123456789ab';

test('[CS43] a conversation whose thread Codex has not deleted stays in the trash', async () => {
  const home = await makeDir('trash');
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const log = createLogger({ level: 'silent' });
  const store = createConversationStore({ home, seals: quietSeals, clock, log, onStorage: () => undefined });
  const meta = { ...sampleMeta(), thread_id: THREAD };
  await store.saveMeta(meta);
  await store.trash(meta.conversation_id);
  expect([...(await store.trashedThreads())]).toEqual([THREAD]);
  expect(await store.listTrash()).toMatchObject([{ id: meta.conversation_id, cwd: meta.cwd, label: meta.label }]);
  const all = Number.POSITIVE_INFINITY;
  await store.emptyTrash(all, async () => false);
  expect([...(await store.trashedThreads())]).toEqual([THREAD]);
  await store.emptyTrash(all, async ({ thread_id }) => thread_id === THREAD);
  expect([...(await store.trashedThreads())]).toEqual([]);
  expect(await store.restore(meta.conversation_id)).toBeNull();
});
