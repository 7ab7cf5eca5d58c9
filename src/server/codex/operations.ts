/** The operations the domains get instead of a connection to Codex. */
import type { CodexOperations } from '../../core/codex/operations.ts';
import type { Requester } from './ask.ts';
import type { Protection } from './protection.ts';
import { readKeptMessages } from './rollout.ts';
import { createThreadOperations } from './thread-operations.ts';
import { createTurnOperations } from './turn-operations.ts';

export function createOperations(link: Requester, protection: Protection): CodexOperations {
  return {
    ...createThreadOperations(link, protection),
    ...createTurnOperations(link, protection),
    readKeptMessages,
    epoch: () => link.dialect().epoch,
  };
}
