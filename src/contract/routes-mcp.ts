/** The route that gives other MCP clients a token of their own. */
import { z } from 'zod';
import { ConversationId } from './ids.ts';
import type { RouteDef } from './route.ts';

export const MCP_ROUTES = {
  mcpToken: {
    method: 'POST',
    path: '/api/mcp/token',
    scope: 'operate',
    summary:
      'A token for the tools of one conversation (needs the scope run too), or for an agent of its own name, which has the board only',
    body: z.object({
      conversation_id: ConversationId.optional(),
      /** As others on the board see it. */
      agent: z
        .string()
        .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u, 'expected up to 80 letters, digits, spaces, dots and dashes')
        .optional(),
    }),
    output: z.object({ url: z.string(), token: z.string() }),
    errors: ['unknown_conversation'],
  },
} as const satisfies Record<string, RouteDef>;
