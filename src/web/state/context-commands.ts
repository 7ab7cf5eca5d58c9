/** What went along with a message. */
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { Call } from './call.ts';

export interface ContextCommands {
  readContext(id: ConversationId, clientMessageId: string): Promise<Result<RouteOutput<'messageContext'>>>;
}

export function createContextCommands(call: Call): ContextCommands {
  return {
    readContext: (id, clientMessageId) => call('messageContext', { id, client_message_id: clientMessageId }),
  };
}
