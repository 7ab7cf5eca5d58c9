/** What went along with a message. */
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { BlockId, TerminalKey } from '../../contract/terminal.ts';
import type { CommandPorts } from './command-ports.ts';

export interface ContextCommands {
  /** The command goes along with the next message, or no more; false if that failed. */
  setAsked(id: ConversationId, blockId: BlockId, isAsked: boolean, terminal?: TerminalKey): Promise<boolean>;
  readContext(id: ConversationId, clientMessageId: string): Promise<Result<RouteOutput<'messageContext'>>>;
}

interface ContextPorts extends CommandPorts {
  readMeta(): Promise<void>;
}

export function createContextCommands({ call, said, readMeta }: ContextPorts): ContextCommands {
  return {
    setAsked: async (id, blockId, asked, terminal = id) => {
      const done = await said(call('askAboutBlock', { id, block_id: blockId, asked, terminal }));
      await readMeta();
      return done !== null;
    },
    readContext: (id, clientMessageId) => call('messageContext', { id, client_message_id: clientMessageId }),
  };
}
