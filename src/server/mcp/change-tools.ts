/** The tools about changes of files: an agent reads what its own conversation changed. Undo is not among them: that is a person's. */
import type { ConversationId } from '../../contract/ids.ts';
import type { ChangeToolName, ToolInput } from '../../contract/mcp.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import { byteLength, headBytes } from '../../core/text/bytes.ts';
import { jsonForModel } from '../../core/text/hidden.ts';
import type { ToolAnswer, ToolCall, ToolGroup } from './tool.ts';

/** What these tools need, for one conversation. */
export interface ChangesPort {
  status(id: ConversationId): Promise<Result<RouteOutput<'changesStatus'>>>;
  /** The difference of a turn, by its number; of the work tree against HEAD without one. */
  diff(id: ConversationId, turn: number | undefined, path: string | undefined): Promise<Result<string>>;
}

/** Rows of a status that a model reads at a glance. */
const MAX_ROWS = 100;

export function changeTools(changes: ChangesPort): ToolGroup<ChangeToolName> {
  return {
    changes_status: (_input, call) =>
      forConversation(call, async (id) => {
        const status = await changes.status(id);
        return status.ok ? ok(shownStatus(status.value)) : status;
      }),
    changes_diff: (input, call) =>
      forConversation(call, async (id) => {
        const text = await changes.diff(id, input.turn, input.path);
        return text.ok ? ok(shownText(text.value, input)) : text;
      }),
  };
}

function forConversation(
  { caller }: ToolCall,
  use: (id: ConversationId) => Promise<Result<ToolAnswer>>,
): Promise<Result<ToolAnswer>> {
  if (caller.kind === 'conversation') return use(caller.conversationId);
  return Promise.resolve(fail('forbidden', 'these tools belong to a conversation: this token has none'));
}

/** Names of branches and files are what others wrote. */
function shownStatus({ repository, reason, checkpoints }: RouteOutput<'changesStatus'>): ToolAnswer {
  if (repository === null)
    return { facts: { repository: false, checkpoints }, text: { from: 'repository', body: jsonForModel({ reason }) } };
  const { root, branch, upstream, files, counts, ahead, behind, head } = repository;
  const rows = files.slice(0, MAX_ROWS).map((file) => jsonForModel(file));
  return {
    facts: { repository: true, checkpoints, head, ahead, behind, counts, files: rows.length },
    text: { from: 'repository', body: [jsonForModel({ root, branch, upstream }), ...rows].join('\n') },
  };
}

function shownText(
  whole: string,
  { offset, max_bytes }: Pick<ToolInput<'changes_diff'>, 'offset' | 'max_bytes'>,
): ToolAnswer {
  const bytes = byteLength(whole);
  const start = headBytes(whole, offset);
  const body = headBytes(whole.slice(start.length), max_bytes);
  const end = byteLength(start) + byteLength(body);
  return {
    facts: { bytes, offset: byteLength(start), next_offset: end < bytes ? end : null },
    ...(body !== '' && { text: { from: 'repository', body } }),
  };
}
