/** Which turns are declared lost when Codex becomes ready, with real files and a Codex that answers when the test says. */
import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { digest } from '../../../test/recording.ts';
import { started } from '../../../test/signals.ts';
import { ok, type Result } from '../../contract/result.ts';
import { systemClock as clock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { makeDir } from '../../testing/box.ts';
import { quietCodex, quietConversation } from '../../testing/quiet-ports.ts';
import { quietSeals } from '../../testing/quiet-seals.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { createRegistry } from './registry.ts';
import { createConversationStore } from './store.ts';

const log = createLogger({ level: 'silent' });

async function createStand(home: string) {
  let answerLoaded: (threads: string[]) => void = () => undefined;
  const loaded = new Promise<Result<readonly string[]>>((done) => {
    answerLoaded = (threads) => done(ok(threads));
  });
  const codex = quietCodex({ listLoadedThreads: () => loaded });
  const store = createConversationStore({ home, seals: quietSeals, clock, log, onStorage: () => undefined });
  const registry = createRegistry({
    store,
    home,
    log,
    codex,
    reply: () => undefined,
    now: () => clock.now(),
    onAdded: () => undefined,
    onOpened: () => undefined,
    exposureOf: async () => null,
    metaOfThread: () => sampleMeta(),
  });
  await registry.boot((_id, hooks) => quietConversation({ clock, log, store, digest, codex }, hooks));
  return { registry, answerLoaded };
}

async function makeHome(): Promise<string> {
  const home = await makeDir('registry');
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

test('[OB21] a turn that begins while a new server reconciles with the Codex it adopted is not declared lost', async () => {
  const { registry, answerLoaded } = await createStand(await makeHome());
  const reconciled = registry.onCodexReady(true);
  const added = await registry.add(sampleMeta());
  if (!added.ok) throw new Error(added.error.message);
  // Its thread is newer than the list of threads that is on its way.
  added.value.session.accept(started('fresh'));
  answerLoaded([]);
  await reconciled;
  expect(added.value.session.state().turn?.id).toBe('fresh');
  await registry.close();
});

test('[OB21] a turn of before whose thread Codex has not loaded is declared lost, once', async () => {
  const home = await makeHome();
  const before = await createStand(home);
  const meta = sampleMeta({ thread_id: 'thread' });
  const added = await before.registry.add(meta);
  if (!added.ok) throw new Error(added.error.message);
  added.value.session.accept(started('lost'));
  await added.value.session.drain();
  await before.registry.close();

  const { registry, answerLoaded } = await createStand(home);
  answerLoaded([]);
  const opened = await registry.open(meta.conversation_id);
  if (!opened.ok) throw new Error(opened.error.message);
  expect(opened.value.session.state().turn?.id).toBe('lost');
  await registry.onCodexReady(true);
  expect(opened.value.session.state().turn).toBeNull();
  expect(opened.value.session.state().endedTurns).toEqual(['lost']);
  await registry.close();
});
