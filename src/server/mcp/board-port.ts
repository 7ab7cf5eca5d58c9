/** The board as the tools see it: the caller becomes author, reader and the one who waits. */
import type { BoardMatch, BoardMessage, NewPost } from '../../contract/board.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import { type BoardPort, keyOf } from './board-tools.ts';
import type { ToolCaller } from './tool.ts';

/** The part of the board this is made of. */
interface BoardSource extends Pick<BoardPort, 'list' | 'get'> {
  post(
    author: { readonly kind: 'agent' } | { readonly kind: 'conversation'; readonly conversationId: ConversationId },
    post: NewPost,
  ): Promise<Result<BoardMessage>>;
  wait(request: {
    readonly after?: number | undefined;
    readonly match: BoardMatch;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly holder?: string | undefined;
  }): ReturnType<BoardPort['wait']>;
  unread(reader: string): Promise<{ read_num: number }>;
  markRead(reader: string, num: number): Promise<void>;
}

export function createBoardPort(board: BoardSource, labelOf: (id: ConversationId) => string): BoardPort {
  return {
    post: (caller, post) =>
      caller.kind === 'conversation'
        ? board.post(caller, { ...post, who: labelOf(caller.conversationId) })
        : board.post({ kind: 'agent' }, { ...post, who: caller.name }),
    list: board.list,
    get: board.get,
    wait: ({ caller, ...request }) => board.wait({ ...request, holder: holderOf(caller) }),
    readMark: async (caller) => (await board.unread(keyOf(caller))).read_num,
    markRead: (caller, num) => board.markRead(keyOf(caller), num),
  };
}

const holderOf = (caller: ToolCaller): string | undefined =>
  caller.kind === 'conversation' ? caller.conversationId : undefined;
