/** Ties schedules to the conversations: where their messages go, and which turns were theirs. */

import { fail, ok } from '../../contract/result.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { Seals } from '../../node/seals.ts';
import type { Actions } from '../conversations/actions.ts';
import type { LifecycleBus } from '../conversations/lifecycle-bus.ts';
import type { Registry } from '../conversations/registry.ts';
import type { Transcripts } from '../conversations/transcripts.ts';
import type { Hub } from '../hub/hub.ts';
import { createLazySchedules, type LazySchedules } from '../schedules/lazy-schedules.ts';

interface ScheduleOptions {
  readonly home: string;
  readonly seals: Seals;
  readonly registry: Registry;
  readonly transcripts: Pick<Transcripts, 'open'>;
  readonly actions: Pick<Actions, 'create'>;
  readonly lifecycle: LifecycleBus;
  readonly hub: Pick<Hub, 'broadcast'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Of a long turn: the note that its message was delivered is near its beginning. */
const MAX_ENTRIES = 1_000;

export function composeSchedules(options: ScheduleOptions): LazySchedules {
  const { registry, transcripts, actions, lifecycle, log } = options;
  const schedules = createLazySchedules({
    ...options,
    onChange: () => options.hub.broadcast({ type: 'schedules' }),
    ports: {
      async openTarget(target, name) {
        if (target.kind === 'directory') {
          // With the settings of its project, and never looser: nobody is there who could confirm it.
          const made = await actions.create({ cwd: target.cwd, label: name }, { loosen: false, anywhere: true });
          return made.ok ? ok(made.value.conversation.meta().conversation_id) : made;
        }
        const meta = registry.metaOf(target.conversation_id);
        if (meta === null) return fail('unknown_conversation', 'its conversation was deleted');
        return meta.archived ? fail('conflict', 'its conversation is archived') : ok(target.conversation_id);
      },
      isBusy: (id) => (registry.peek(id)?.session.state().turn ?? null) !== null,
      async send(id, { text, clientMessageId }) {
        const opened = await registry.open(id);
        if (!opened.ok) return opened;
        const sent = await opened.value.outbox.send({ text, images: [], clientMessageId }, 'queue');
        return sent.ok ? ok(null) : sent;
      },
    },
  });
  lifecycle.subscribe((id, event) => {
    if (event.type !== 'turn_ended' || event.status !== 'failed') return;
    const find = async (): Promise<void> => {
      const entries = (await (await transcripts.open(id))?.lastEntries(MAX_ENTRIES)) ?? [];
      for (const entry of entries)
        if (entry.role === 'delivery' && entry.turn_id === event.turnId) schedules.turnFailed(entry.client_message_id);
    };
    find().catch((error: unknown) => log.error({ error }, 'a schedule does not know that its turn failed'));
  });
  return schedules;
}
