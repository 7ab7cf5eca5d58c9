/** Pages of what Codex kept from before a conversation was opened here. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { found, say } from '../../../test/signals.ts';
import type { ConversationMeta } from '../../contract/conversation.ts';
import { ok } from '../../contract/result.ts';
import { emptyThread } from '../../core/conversations/thread-state.ts';
import { systemClock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { quietCodex } from '../../testing/quiet-ports.ts';
import { quietSeals } from '../../testing/quiet-seals.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { createHistory } from './history.ts';
import { createConversationStore } from './store.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'signalbox-history-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const OLD_TURN = found('turn-1', [say('item-1', 'from before')]);

test('a fetch of older turns that fails does not fail the later ones', async () => {
  const log = createLogger({ level: 'silent' });
  const store = createConversationStore({
    home,
    seals: quietSeals,
    clock: systemClock,
    log,
    onStorage: () => undefined,
  });
  let meta: ConversationMeta = sampleMeta({ thread_id: 'thread-1', history: { cursor: null, complete: false } });
  const transcript = await store.openTranscript(meta.conversation_id);
  let requests = 0;
  const codex = quietCodex({
    async listTurns() {
      requests += 1;
      if (requests === 1) throw new Error('broken');
      return ok({ turns: [OLD_TURN], nextCursor: null });
    },
  });
  const history = createHistory({
    codex,
    session: { state: () => emptyThread(meta.conversation_id, meta.cwd, (text) => text), transcript },
    store,
    meta: () => meta,
    async changeMeta(change) {
      meta = change(meta);
      return ok(null);
    },
  });

  await expect(history.page({ limit: 10 })).rejects.toThrow('broken');
  const page = await history.page({ limit: 10 });
  expect(page.lines.join('\n')).toContain('from before');
  expect(page.hasMore).toBe(false);

  await history.close();
  await transcript.close();
});
