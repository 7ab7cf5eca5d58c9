/** A sub-agent's own thread, as a person reads it. */
import { z } from 'zod';
import { Entry } from './entry.ts';

export const SubAgentRecord = z.object({
  thread_id: z.string(),
  /** What Codex calls it besides its path; null where Codex gives no such name. */
  nickname: z.string().nullable(),
  /** What it was told to do, oldest first; null for a text that only the model can read. Empty where Codex's file of it tells nothing. */
  tasks: z.array(z.string().nullable()),
  /** What it did and said, oldest first. Empty unless asked for. */
  entries: z.array(Entry),
  /** Earlier turns of it are left out. */
  has_more: z.boolean(),
});
export type SubAgentRecord = z.infer<typeof SubAgentRecord>;
