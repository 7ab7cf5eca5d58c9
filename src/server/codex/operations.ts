/** The operations the domains get instead of a connection to Codex. */
import type { CodexOperations } from '../../core/codex/operations.ts';
import type { Requester } from './ask.ts';
import type { Holder } from './holder.ts';
import type { Protection } from './protection.ts';
import { readKeptMessages, readTasks, readTurnTriggers } from './rollout.ts';
import { createThreadOperations } from './thread-operations.ts';
import { createTurnOperations } from './turn-operations.ts';

export function createOperations(
  link: Requester,
  protection: Protection,
  holderOf: (threadId: string) => Holder | null,
): CodexOperations {
  return {
    ...createThreadOperations(link, protection),
    ...createTurnOperations(link, protection),
    readKeptMessages,
    readTurnTriggers,
    readTasks,
    holderOf,
    epoch: () => link.dialect().epoch,
  };
}
