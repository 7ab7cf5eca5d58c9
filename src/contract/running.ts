/** What runs for a conversation: commands of Codex, processes that ended commands left behind, and the programs in its terminals. */
import { z } from 'zod';
import { ConversationId } from './ids.ts';

/** `ending`: SIGTERM was sent. `killing`: SIGKILL was sent. `not_ended`: a process survived both, or may not be signalled. */
const RunningState = z.enum(['running', 'ending', 'killing', 'not_ended']);

export const RunningCommand = z.object({
  conversation_id: ConversationId,
  /** Names the command in requests to end it: the id of Codex's item, `terminal`, or `terminal~N` for a further terminal. */
  item_id: z.string(),
  /** `command`: Codex waits for its end. `left`: the command has ended and left these processes behind. */
  kind: z.enum(['command', 'left', 'terminal']),
  command: z.string(),
  state: RunningState,
  /** Null where the system does not tell when its first process began. */
  started_at: z.string().nullable(),
  /** At most 20 are named; `process_count` counts all. */
  processes: z.array(z.object({ pid: z.number().int(), command: z.string() })),
  process_count: z.number().int(),
});
export type RunningCommand = z.infer<typeof RunningCommand>;
