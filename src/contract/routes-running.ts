/** Routes about what runs for conversations: list it, end it. */
import { z } from 'zod';
import { ConversationId } from './ids.ts';
import { base, type RouteDef } from './route.ts';
import { RunningCommand } from './running.ts';

export const RUNNING_ROUTES = {
  listRunning: {
    method: 'GET',
    path: `${base}/running`,
    scope: 'read',
    summary: 'Commands and processes that run for a conversation, or for all of them',
    query: z.object({ conversation_id: ConversationId.optional() }),
    output: z.object({ running: z.array(RunningCommand) }),
    errors: ['unknown_conversation'],
  },
  endRunning: {
    method: 'POST',
    path: `${base}/running/end`,
    scope: 'operate',
    summary: 'Ends commands of a conversation, all of them if none is named: SIGTERM, then SIGKILL',
    body: z.object({
      conversation_id: ConversationId,
      item_ids: z.array(z.string().min(1).max(400)).max(200).optional(),
    }),
    output: z.object({
      /** Commands of which no process runs any more. */
      ended: z.number().int(),
      /** Commands of which a process still runs. */
      left: z.array(RunningCommand),
    }),
    errors: ['unknown_conversation'],
  },
} as const satisfies Record<string, RouteDef>;
