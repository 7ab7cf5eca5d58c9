/** Several attempts at one task, side by side: what each conversation of the group is doing, said last and changed. */
import type { ConversationMeta, ConversationRow } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { AttemptRow } from '../../contract/worktrees.ts';
import { wholeCharacters } from '../../core/text/cut.ts';
import { linkedBranchOf } from '../../node/git-branch.ts';
import type { Changes } from '../changes/changes.ts';
import type { Registry } from '../conversations/registry.ts';
import type { Transcripts } from '../conversations/transcripts.ts';

export interface Attempts {
  /** In the order of their numbers; empty for a conversation that is no attempt. */
  list(id: ConversationId): Promise<Result<AttemptRow[]>>;
}

interface AttemptsOptions {
  readonly registry: Pick<Registry, 'open' | 'metas'>;
  readonly transcripts: Pick<Transcripts, 'open'>;
  readonly changes: Pick<Changes, 'countSinceBase'>;
}

/** What a column has room for. */
const MAX_ANSWER_CHARS = 600;
/** Entries of a long turn; the answer comes last. */
const MAX_ENTRIES = 100;

export function createAttempts({ registry, transcripts, changes }: AttemptsOptions): Attempts {
  const readRow = async (meta: ConversationMeta): Promise<AttemptRow[]> => {
    const id = meta.conversation_id;
    const opened = await registry.open(id);
    // Deleted in the same moment.
    if (!opened.ok) return [];
    const transcript = await transcripts.open(id);
    const [entries, files, branch] = await Promise.all([
      transcript?.lastEntries(MAX_ENTRIES) ?? [],
      changes.countSinceBase(id),
      linkedBranchOf(meta.cwd),
    ]);
    const answer = entries.findLast((entry) => entry.role === 'assistant');
    const row = opened.value.row();
    const state = STATES[row.state];
    return [
      {
        id,
        number: meta.attempt?.number ?? 1,
        cwd: meta.cwd,
        branch,
        state,
        answer: answer?.role === 'assistant' ? wholeCharacters(answer.text, 0, MAX_ANSWER_CHARS) : null,
        files: files.ok ? { ...files.value } : null,
        started_at: meta.created_at,
        ended_at: state === 'running' || state === 'waiting' ? null : row.active_at,
      },
    ];
  };

  return {
    async list(id) {
      const opened = await registry.open(id);
      if (!opened.ok) return opened;
      const group = opened.value.meta().attempt?.group;
      if (group === undefined) return ok([]);
      const metas = registry
        .metas()
        .filter((meta) => meta.attempt?.group === group)
        .sort((one, other) => (one.attempt?.number ?? 0) - (other.attempt?.number ?? 0));
      return ok((await Promise.all(metas.map(readRow))).flat());
    },
  };
}

const STATES = {
  draft: 'draft',
  idle: 'done',
  running: 'running',
  waiting: 'waiting',
  failed: 'failed',
} as const satisfies Record<ConversationRow['state'], AttemptRow['state']>;
