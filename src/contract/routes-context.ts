/** Routes about what went along with a message. */
import { z } from 'zod';
import { ContextRecord } from './context.ts';
import { ClientMessageId, ConversationId } from './ids.ts';
import { base, Ok, type RouteDef } from './route.ts';
import { BlockId, TerminalKey } from './terminal.ts';

export const CONTEXT_ROUTES = {
  messageContext: {
    method: 'GET',
    path: `${base}/conversations/{id}/context/{client_message_id}`,
    scope: 'read',
    agents: 'own',
    summary: 'Exactly what the model was given together with a message',
    params: z.object({ id: ConversationId, client_message_id: ClientMessageId }),
    output: z.object({ context: ContextRecord }),
    errors: ['not_found'],
  },
  askAboutBlock: {
    method: 'POST',
    path: `${base}/conversations/{id}/asked`,
    scope: 'operate',
    summary: 'A command of the terminal goes along with the next message because a person asks about it, or no more',
    params: z.object({ id: ConversationId }),
    body: z.object({
      block_id: BlockId,
      asked: z.boolean(),
      /** In which terminal of the conversation the command ran; the shared one if not said. */
      terminal: TerminalKey.optional(),
    }),
    output: Ok,
    errors: ['unknown_conversation', 'not_found', 'conflict', 'storage_full'],
  },
} as const satisfies Record<string, RouteDef>;
