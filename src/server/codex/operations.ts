/** The operations the domains get instead of a connection to Codex. */
import type { CodexOperations } from '../../core/codex/operations.ts';
import type { Requester } from './ask.ts';
import { readKeptMessages } from './rollout.ts';
import { createThreadOperations } from './thread-operations.ts';
import { createTurnOperations } from './turn-operations.ts';

export function createOperations(link: Requester): CodexOperations {
  return {
    ...createThreadOperations(link),
    ...createTurnOperations(link),
    readKeptMessages,
    epoch: () => link.dialect().epoch,
  };
}
