/** Changes of one conversation's thread: in order, alone, and refused while a turn runs or begins. */
import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { digest } from '../../../test/recording.ts';
import { completed, started } from '../../../test/signals.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { CodexOperations } from '../../core/codex/operations.ts';
import { systemClock as clock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { quietCodex, quietConversation } from '../../testing/quiet-ports.ts';
import { quietSeals } from '../../testing/quiet-seals.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { createChanges } from './change-alone.ts';
import { openConversation } from './conversation.ts';
import { createConversationStore } from './store.ts';

const log = createLogger({ level: 'silent' });
const ID = sampleMeta().conversation_id;

async function openStand(codex: Partial<CodexOperations> = {}) {
  const home = await makeDir('changes');
  const store = createConversationStore({ home, seals: quietSeals, clock, log, onStorage: () => undefined });
  const real = { clock, log, store, digest, codex: quietCodex(codex) };
  const conversation = await openConversation(sampleMeta({ cwd: home, thread_id: 'thread' }), quietConversation(real));
  onTestFinished(async () => {
    await conversation.close();
    await rm(home, { recursive: true, force: true });
  });
  return { conversation, changes: createChanges({ open: async () => ok(conversation) }) };
}

test('[CX50] changes run one after the other, also behind one that throws', async () => {
  const { changes } = await openStand();
  const ran: string[] = [];
  const slow = changes.alone(ID, async () => {
    ran.push('begin 1');
    await clock.sleep(20);
    ran.push('end 1');
    return ok(null);
  });
  const broken = changes.inOrder(ID, async () => {
    ran.push('2');
    throw new Error('x');
  });
  const last = changes.alone(ID, async () => {
    ran.push('3');
    return ok(null);
  });
  await expect(broken).rejects.toThrow('x');
  await Promise.all([slow, last]);
  expect(ran).toEqual(['begin 1', 'end 1', '2', '3']);
});

test('[CX50] a change is refused while a turn runs, and a message that is sent during a change waits in the queue', async () => {
  const { conversation, changes } = await openStand();
  const { session, outbox } = conversation;
  session.accept(started('t'));
  expect(await changes.alone(ID, async () => ok(null))).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: expect.stringContaining('stop it first') },
  });
  session.accept(completed('t'));
  const sent = await changes.alone(ID, () => outbox.send({ clientMessageId: 'm1', text: 'x', images: [] }, 'send'));
  expect(sent).toMatchObject({ ok: true, value: { outcome: 'queued' } });
});

test('[CX50] a change waits for a message that is being given, and is refused when its turn has begun', async () => {
  let give: (answer: Result<string | null>) => void = () => undefined;
  const { conversation, changes } = await openStand({
    resumeThread: async () => ok(null),
    startTurn: (_request, onStarted) =>
      new Promise((done) => {
        give = (answer) => {
          onStarted('t');
          done(answer);
        };
      }),
  });
  const { outbox } = conversation;
  const sent = outbox.send({ clientMessageId: 'm1', text: 'x', images: [] }, 'send');
  await expect.poll(() => outbox.state().pending[0]?.stage).toBe('giving');
  const changed = changes.alone(ID, async () => ok('changed'));
  give(ok('t'));
  expect(await changed).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(await sent).toMatchObject({ ok: true, value: { outcome: 'started' } });
});
