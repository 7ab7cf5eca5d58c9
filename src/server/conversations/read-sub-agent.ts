/** Reads the thread of a sub-agent from Codex's history of it. The thread has no conversation of its own: nobody but its parent talks to it. */
import type { Entry } from '../../contract/entry.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { SubAgentRecord } from '../../contract/sub-agent.ts';
import type { ThreadRecord } from '../../core/codex/signal.ts';
import { entriesOfTurn } from '../../core/conversations/past-turns.ts';
import type { Conversation } from './conversation.ts';
import type { CodexPort } from './ports.ts';

/** The newest: a sub-agent has one turn for each task it is given. */
const MAX_TURNS = 20;
/** Codex nests sub-agents a few levels deep. */
const MAX_DEPTH = 8;

export async function readSubAgent(
  codex: CodexPort,
  { meta, session }: Conversation,
  threadId: string,
  withEntries: boolean,
): Promise<Result<SubAgentRecord>> {
  const read = await codex.readThread(threadId);
  if (!read.ok) return read;
  const { children, digest, childPaths } = session.state();
  const isOurs = children.includes(threadId) || (await isBelow(codex, read.value, meta().thread_id));
  if (!isOurs) return fail('unknown_thread', 'this thread is no sub-agent of the conversation');
  const { rolloutPath, cwd, nickname } = read.value;
  const path = childPaths[threadId] ?? '';
  const tasks = rolloutPath === null ? [] : await codex.readTasks(rolloutPath, path);
  const record = { thread_id: threadId, nickname, tasks: [...tasks], entries: [], has_more: false };
  if (!withEntries) return ok(record);
  const page = await codex.listTurns(threadId, { limit: MAX_TURNS, cursor: null });
  if (!page.ok) return page;
  const entries: Entry[] = [];
  for (const turn of [...page.value.turns].reverse()) {
    const ts = new Date(turn.startedAtMs ?? 0).toISOString();
    for (const entry of entriesOfTurn(turn, { threadId, cwd, digest }))
      entries.push({ seq: entries.length + 1, ts, ...entry });
  }
  return ok({ ...record, entries, has_more: page.value.nextCursor !== null });
}

/** After a restart the conversation may have forgotten its oldest sub-agents; Codex knows whose they are. */
async function isBelow(codex: CodexPort, thread: ThreadRecord, root: string | null): Promise<boolean> {
  let parent = thread.parentThreadId;
  for (let depth = 0; depth < MAX_DEPTH && root !== null && parent !== null; depth += 1) {
    if (parent === root) return true;
    const read = await codex.readThread(parent);
    parent = read.ok ? read.value.parentThreadId : null;
  }
  return false;
}
