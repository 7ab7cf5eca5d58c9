/** [CS42] Who has a thread open is told when it changes, and not at every look. */
import { expect, test } from 'vitest';
import type { ThreadHolder } from '../../contract/ui-event.ts';
import { systemClock as clock } from '../../node/clock.ts';
import { createLogger } from '../../node/logger.ts';
import { sampleMeta } from '../../testing/samples.ts';
import type { Conversation } from './conversation.ts';
import { followElsewhere } from './follow-elsewhere.ts';

const log = createLogger({ level: 'silent' });

test('[CS42] a holder is told once when it comes and once when it goes', async () => {
  let holder: ThreadHolder | null = null;
  const told: (string | null)[] = [];
  const meta = sampleMeta({ thread_id: 'thread' });
  const thread = { isLoaded: () => false, holder: () => holder, readElsewhere: async () => true };
  // The part of a conversation that is looked at.
  const conversation = { meta: () => meta, thread } as unknown as Conversation;
  const follow = followElsewhere({
    clock,
    log,
    followed: () => [],
    peek: () => null,
    publish: (_id, who) => told.push(who?.name ?? null),
  });
  const lookTwice = async () => {
    await follow.look(conversation);
    await follow.look(conversation);
  };
  await lookTwice();
  expect(told).toEqual([]);
  holder = { name: 'Codex TUI', pid: 7 };
  await lookTwice();
  expect(told).toEqual(['Codex TUI']);
  holder = null;
  await lookTwice();
  expect(told).toEqual(['Codex TUI', null]);
  follow.close();
});
