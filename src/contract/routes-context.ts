/** Routes about what went along with a message. */
import { z } from 'zod';
import { ContextRecord } from './context.ts';
import { ClientMessageId, ConversationId } from './ids.ts';
import { base, type RouteDef } from './route.ts';

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
} as const satisfies Record<string, RouteDef>;
