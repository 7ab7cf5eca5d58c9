/** The tools of the board. The author is always the caller. */
import type { BoardMatch, BoardMessage, NewPost } from '../../contract/board.ts';
import type { BoardToolName } from '../../contract/mcp.ts';
import { MAX_TOOL_TEXT_BYTES } from '../../contract/mcp-bounds.ts';
import { ok, type Result } from '../../contract/result.ts';
import { jsonForModel } from '../../core/text/hidden.ts';
import type { ToolAnswer, ToolCall, ToolCaller, ToolGroup } from './tool.ts';

/** What these tools need of the board. */
export interface BoardPort {
  post(caller: ToolCaller, post: Omit<NewPost, 'who'>): Promise<Result<BoardMessage>>;
  list(query: {
    readonly limit: number;
    readonly after?: number | undefined;
    readonly match: BoardMatch;
  }): Promise<{ readonly messages: readonly BoardMessage[]; readonly lastNum: number; readonly hasMore: boolean }>;
  get(num: number): Promise<Result<{ message: BoardMessage; replies: BoardMessage[] }>>;
  wait(request: {
    readonly caller: ToolCaller;
    readonly after?: number | undefined;
    readonly match: BoardMatch;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  }): Promise<Result<{ messages: readonly BoardMessage[]; timedOut: boolean; after: number }>>;
  readMark(caller: ToolCaller): Promise<number>;
  markRead(caller: ToolCaller, num: number): Promise<void>;
}

export function boardTools(board: BoardPort): ToolGroup<BoardToolName> {
  const wait = async (
    request: { readonly after?: number | undefined; readonly match: BoardMatch; readonly timeout_ms: number },
    { caller, signal }: ToolCall,
    facts: Record<string, unknown> = {},
  ): Promise<Result<ToolAnswer>> => {
    const { after, match, timeout_ms: timeoutMs } = request;
    const waited = await board.wait({ caller, after, match, timeoutMs, signal });
    if (!waited.ok) return waited;
    const { messages, timedOut, after: next } = waited.value;
    const hint = timedOut ? { hint: 'nothing yet: call agent_log_await with this `after` to go on waiting' } : {};
    return ok(shown(messages, { ...facts, timed_out: timedOut, after: next, ...hint }));
  };
  const postAndWait = async (post: Omit<NewPost, 'who'>, timeout_ms: number, call: ToolCall) => {
    const posted = await board.post(call.caller, post);
    if (!posted.ok) return posted;
    const { num } = posted.value;
    return wait({ after: num, match: { reply_to: num }, timeout_ms }, call, { posted: num });
  };
  return {
    agent_log_post: async (input, { caller }) => posted(await board.post(caller, input)),
    agent_send_message: async (input, { caller }) => posted(await board.post(caller, input)),
    async agent_log_read({ after, topic, text, limit }) {
      const match = { ...(topic !== undefined && { topic }), ...(text !== undefined && { text }) };
      const page = await board.list({ limit, after, match });
      return ok(shown(page.messages, { last_num: page.lastNum, has_more: page.hasMore }));
    },
    async agent_log_inbox({ limit, peek }, { caller }) {
      const page = await board.list({ limit, after: await board.readMark(caller), match: { for: keyOf(caller) } });
      const answer = shown(page.messages, { has_more: page.hasMore });
      const last = answer.facts.next_after;
      if (!peek && typeof last === 'number') await board.markRead(caller, last);
      return ok(answer);
    },
    async agent_log_get({ num }) {
      const found = await board.get(num);
      return found.ok ? ok(shown([found.value.message, ...found.value.replies], {})) : found;
    },
    agent_log_await: ({ after, match, timeout_ms }, call) => wait({ after, match: match ?? {}, timeout_ms }, call),
    agent_log_post_await: ({ timeout_ms, ...post }, call) => postAndWait(post, timeout_ms, call),
    agent_send_message_await: ({ timeout_ms, ...post }, call) => postAndWait(post, timeout_ms, call),
  };
}

export const keyOf = (caller: ToolCaller): string =>
  caller.kind === 'conversation' ? caller.conversationId : caller.name;

function posted(answer: Result<BoardMessage>): Result<ToolAnswer> {
  if (!answer.ok) return answer;
  const { num, ts, topic, reply_to, to, mentions, hops } = answer.value;
  return ok({ facts: { num, ts, topic, reply_to, to, mentions: mentions.map(({ label }) => label), hops } });
}

/** As many as fit, whole; `next_after` says where the rest begins. */
function shown(messages: readonly BoardMessage[], facts: Record<string, unknown>): ToolAnswer {
  const lines: string[] = [];
  let bytes = 0;
  let last: number | null = null;
  for (const message of messages) {
    const { num, ts, who, kind, topic, reply_to, to } = message;
    const line = jsonForModel({ num, ts, who, kind, topic, reply_to, to, message: message.message });
    bytes += Buffer.byteLength(line) + 1;
    // One message always goes through: a post is at most twice the size of an answer.
    if (bytes > MAX_TOOL_TEXT_BYTES && last !== null) break;
    lines.push(line);
    last = num;
  }
  const left = messages.length - lines.length;
  return {
    facts: { ...facts, messages: lines.length, next_after: last, ...(left > 0 && { has_more: true }) },
    ...(lines.length > 0 && { text: { from: 'board', body: lines.join('\n') } }),
  };
}
