/** What went along with a message, and what a sub-agent was told and did. */
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { SubAgentRecord } from '../../contract/sub-agent.ts';
import type { BlockId, TerminalKey } from '../../contract/terminal.ts';
import type { CommandPorts } from './command-ports.ts';

export interface ContextCommands {
  /** The command goes along with the next message, or no more; false if that failed. */
  setAsked(id: ConversationId, blockId: BlockId, isAsked: boolean, terminal?: TerminalKey): Promise<boolean>;
  readContext(id: ConversationId, clientMessageId: string): Promise<Result<RouteOutput<'messageContext'>>>;
  /** Without entries only its tasks. */
  readSubAgent(id: ConversationId, threadId: string, withEntries: boolean): Promise<Result<SubAgentRecord>>;
  /** Opens the thread of a sub-agent to read; null closes it. */
  showAgent(threadId: string | null): void;
}

interface ContextPorts extends CommandPorts {
  readMeta(): Promise<void>;
}

export function createContextCommands({ store, call, said, readMeta }: ContextPorts): ContextCommands {
  return {
    setAsked: async (id, blockId, asked, terminal = id) => {
      const done = await said(call('askAboutBlock', { id, block_id: blockId, asked, terminal }));
      await readMeta();
      return done !== null;
    },
    readSubAgent: (id, threadId, withEntries) =>
      call('readSubAgent', { id, thread_id: threadId, ...(withEntries && { entries: 'true' }) }),
    showAgent: (threadId) => store.setState({ shownAgent: threadId }),
    readContext: (id, clientMessageId) => call('messageContext', { id, client_message_id: clientMessageId }),
  };
}
