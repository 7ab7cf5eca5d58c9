/** Ties the checks of pull requests, which the tools of hosts tell, to the events of conversations. */
import { join } from 'node:path';
import type { ConversationId } from '../../contract/ids.ts';
import type { Bus } from '../../node/bus.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { RunAsPerson } from '../../node/person-program.ts';
import { type FollowRequests, followRequests } from '../changes/follow-requests.ts';
import type { OpenedRequest } from '../changes/ship-request.ts';
import type { Registry } from '../conversations/registry.ts';

export interface RequestOfConversation {
  readonly id: ConversationId;
  readonly request: OpenedRequest;
}

interface RequestOptions {
  readonly home: string;
  readonly registry: Registry;
  readonly runAsPerson: RunAsPerson;
  readonly opened: Bus<RequestOfConversation>;
  readonly publish: (event: unknown) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Logger;
}

export async function composeRequests(options: RequestOptions): Promise<FollowRequests> {
  const { home, registry, opened, log } = options;
  const requests = await followRequests({
    ...options,
    folder: join(home, 'changes'),
    addressOf(id) {
      const meta = registry.metaOf(id);
      return meta === null || meta.archived ? null : (meta.thread_id ?? id);
    },
  });
  opened.subscribe(({ id, request }) => {
    requests.follow(id, request).catch((error: unknown) => log.error({ error }, 'a pull request is not followed'));
  });
  return requests;
}
