/** Acts on what runs for a conversation. */
import type { ConversationId } from '../../contract/ids.ts';
import type { RunningCommand } from '../../contract/running.ts';
import { en } from '../strings/en.ts';
import type { CommandPorts } from './command-ports.ts';

export interface RunningCommands {
  /** Null when it failed. */
  listRunning(id: ConversationId): Promise<readonly RunningCommand[] | null>;
  /** All of them if none is named. What could not be ended is said. */
  endRunning(id: ConversationId, itemIds?: readonly string[]): Promise<void>;
}

export function createRunningCommands({ call, said, toast }: CommandPorts): RunningCommands {
  return {
    async listRunning(id) {
      const listed = await call('listRunning', { conversation_id: id });
      return listed.ok ? listed.value.running : null;
    },
    async endRunning(id, itemIds) {
      const ended = await said(
        call('endRunning', { conversation_id: id, ...(itemIds !== undefined && { item_ids: [...itemIds] }) }),
      );
      if (ended !== null && ended.left.length > 0) toast({ text: en.runs.notEnded(ended.left.length), tone: 'error' });
    },
  };
}
