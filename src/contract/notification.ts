/** What the command of `notify.command` reads on its standard input: one line of JSON per event. */
import { z } from 'zod';
import { ApprovalId, ConversationId } from './ids.ts';

const about = {
  conversation_id: ConversationId,
  label: z.string().nullable(),
  thread_id: z.string().nullable(),
};

export const Notification = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('ask_opened'),
    ...about,
    turn_id: z.string().nullable(),
    approval_id: ApprovalId,
    /** What kind of request: `command`, `file_change`, `questions` and so on. */
    kind: z.string(),
    /** One line, as the page shows it. */
    title: z.string(),
  }),
  z.strictObject({
    event: z.literal('turn_ended'),
    ...about,
    turn_id: z.string(),
    status: z.enum(['completed', 'failed', 'interrupted']),
  }),
]);
export type Notification = z.infer<typeof Notification>;
