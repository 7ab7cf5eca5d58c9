/** The lifecycle that one open conversation emits, with its real files. */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { digest } from '../../../test/recording.ts';
import { asks, completed, found, GONE, say, started } from '../../../test/signals.ts';
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { CodexOperations } from '../../core/codex/operations.ts';
import type { Lifecycle } from '../../core/conversations/lifecycle.ts';
import { systemClock as clock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { quietCodex, quietConversation } from '../../testing/quiet-ports.ts';
import { quietSeals } from '../../testing/quiet-seals.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { openConversation } from './conversation.ts';
import { createConversationStore } from './store.ts';

const log = createLogger({ level: 'silent' });

async function makeHome(): Promise<string> {
  const home = await makeDir('lifecycle');
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

async function open(
  home: string,
  onLifecycle: (event: Lifecycle) => void,
  codex: Partial<CodexOperations> = {},
  change: Partial<ConversationMeta> = {},
) {
  const store = createConversationStore({ home, seals: quietSeals, clock, log, onStorage: () => undefined });
  const real = { clock, log, store, digest, codex: quietCodex(codex) };
  return openConversation(sampleMeta({ cwd: home, ...change }), quietConversation(real, { onLifecycle }));
}

test('[L8] an event of a turn comes after the entries before it are on disk', async () => {
  const home = await makeHome();
  const path = join(home, 'conversations', sampleMeta().conversation_id, 'transcript.jsonl');
  const onDisk: string[] = [];
  const types: string[] = [];
  const { session, close } = await open(home, (event) => {
    types.push(event.type);
    onDisk.push(readFileSync(path, 'utf8'));
  });
  session.accept(started('t'));
  session.accept(asks(1, 't', 'i'));
  session.accept(completed('t'));
  await session.drain();
  expect(types).toEqual(['turn_started', 'ask_opened', 'ask_closed', 'turn_ended']);
  expect(onDisk[0]).toBe('');
  expect(onDisk[2]).toContain('"role":"approval"');
  expect(onDisk[3]).toContain('"turn_status":"completed"');
  await close();
});

test('[L8] a turn that ended while nobody listened is told when that is found out, once', async () => {
  const home = await makeHome();
  const events: Lifecycle[] = [];
  const hear = (event: Lifecycle) => void events.push(event);
  const before = await open(home, hear);
  before.session.accept(started('lost'));
  await before.session.drain();
  await before.close();
  const after = await open(home, hear);
  after.session.accept({ type: 'turns.found', turns: [found('lost', [say('i', 'x')]), found('missed', [])] });
  after.session.accept(started('last'));
  after.session.accept(GONE);
  after.session.accept(GONE);
  await after.session.drain();
  expect(events).toEqual([
    { type: 'turn_started', turnId: 'lost' },
    { type: 'turn_ended', turnId: 'lost', status: 'completed' },
    { type: 'turn_started', turnId: 'missed' },
    { type: 'turn_ended', turnId: 'missed', status: 'completed' },
    { type: 'turn_started', turnId: 'last' },
    { type: 'turn_ended', turnId: 'last', status: 'failed' },
  ]);
  await after.close();
});

test('[L8] changes of the sidecar are told when they are stored', async () => {
  const events: Lifecycle[] = [];
  const { changeMeta, close } = await open(await makeHome(), (event) => void events.push(event));
  await Promise.all([
    changeMeta((meta) => ({ ...meta, label: 'one' })),
    changeMeta((meta) => ({ ...meta, label: 'two', archived: true })),
    changeMeta((meta) => ({ ...meta, read_seq: 9 })),
  ]);
  expect(events).toEqual([
    { type: 'settings_changed', changed: ['label'] },
    { type: 'settings_changed', changed: ['label'] },
    { type: 'archived' },
  ]);
  await close();
});

test('[FT22] whoever waits for an answer of a conversation that is closed gets one, and so does whoever asks afterwards', async () => {
  const home = await makeHome();
  const never = new Promise<never>(() => undefined);
  const { outbox, close } = await open(home, () => undefined, { startThread: () => never });
  const message = (clientMessageId: string) => ({ clientMessageId, text: 'x', images: [] });
  const waiting = outbox.send(message('m1'), 'send');
  await expect.poll(() => outbox.state().busy).not.toBeNull();
  const stop = outbox.interrupt();
  const still = outbox.whenStill();
  await close();
  const refused = { ok: false, error: { code: 'unknown_conversation' } };
  expect(await waiting).toMatchObject(refused);
  expect(await stop).toEqual({ ok: true, value: false });
  await still;
  expect(await outbox.send(message('m2'), 'queue')).toMatchObject(refused);
  expect(await outbox.interrupt()).toEqual({ ok: true, value: false });
});

test('[CX54] a request to stop that Codex does not answer is answered by the end of its turn, and holds up nothing', async () => {
  const never = new Promise<never>(() => undefined);
  const { session, outbox, close } = await open(
    await makeHome(),
    () => undefined,
    { interruptTurn: () => never },
    { thread_id: 'thread' },
  );
  session.accept(started('t'));
  const stop = outbox.interrupt();
  const still = outbox.whenStill();
  session.accept(completed('t'));
  expect(await stop).toEqual({ ok: true, value: false });
  await still;
  await close();
});
