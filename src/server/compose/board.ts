/** Ties the board to the conversations: who can be mentioned, how a post reaches them, who else writes. */
import { join } from 'node:path';
import type { ConversationId } from '../../contract/ids.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { type Board, createBoard } from '../board/board.ts';
import { type TellPorts, tellConversations } from '../board/tell-conversation.ts';
import type { Registry } from '../conversations/registry.ts';
import type { Transcripts } from '../conversations/transcripts.ts';

interface BoardOptions {
  readonly home: string;
  readonly registry: Registry;
  readonly transcripts: Transcripts;
  readonly publish: TellPorts['publish'];
  readonly clock: Clock;
  readonly log: Logger;
}

export function composeBoard({ home, registry, transcripts, publish, clock, log }: BoardOptions): Board {
  return createBoard({
    dir: join(home, 'board'),
    clock,
    log,
    conversations: () =>
      registry
        .metas()
        .filter(({ archived }) => !archived)
        .map(({ conversation_id: id, label }) => ({ key: id, label: label ?? id, conversationId: id })),
    deliver: tellConversations({
      publish,
      open: async (id) => (registry.isKnown(id) ? transcripts.open(id) : null),
    }),
  });
}

/** Of the newest posts; whoever wrote before them has left. */
const PEER_POSTS = 50;

export async function namesOnBoard(board: Board, id: ConversationId): Promise<string[]> {
  const { messages } = await board.list({ limit: PEER_POSTS, match: {} });
  return messages.filter((one) => one.conversation_id !== id).map((one) => one.who);
}
