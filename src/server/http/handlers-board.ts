/** Route id → service call, for the board. No logic. */
import { fail, ok } from '../../contract/result.ts';
import type { BOARD_ROUTES } from '../../contract/routes-board.ts';
import { errorCode } from '../../node/atomic-file.ts';
import type { PostAuthor } from '../board/board.ts';
import type { Caller } from '../caller.ts';
import type { HandlersFor, Services } from './services.ts';

/** A command of an agent posts as its conversation, so that it cannot pass for somebody else's script. */
function authorOf(caller: Caller): PostAuthor {
  if (caller.kind === 'session') return { kind: 'person' };
  if (caller.kind !== 'agent') return { kind: 'script' };
  const { conversationId } = caller;
  return conversationId === null ? { kind: 'agent' } : { kind: 'conversation', conversationId };
}

/** The person at the page reads under one name, in whatever browser. */
const PERSON = 'person';

export function boardHandlers({ board }: Services): HandlersFor<typeof BOARD_ROUTES> {
  const readerOf = (name: string | undefined, caller: Caller) =>
    name ?? (caller.kind === 'session' ? PERSON : 'api_token');
  return {
    boardPost: (post, caller) => board.post(authorOf(caller), post),
    async boardList({ limit, after, before, topic, q, reader }, caller) {
      const match = { ...(topic !== undefined && { topic }), ...(q !== undefined && { text: q }) };
      const page = await board.list({ limit, after, before, match });
      const read = await board.unread(readerOf(reader, caller));
      return ok({ messages: [...page.messages], last_num: page.lastNum, has_more: page.hasMore, ...read });
    },
    boardTopics: async () => ok({ topics: await board.topics() }),
    boardGet: ({ num }) => board.get(num),
    async boardDelete({ num }) {
      const removed = await board.remove(num);
      return removed.ok ? ok({ ok: true }) : removed;
    },
    async boardAwait({ after, match, timeout_ms }, _caller, signal) {
      const waited = await board.wait({ after, match, timeoutMs: timeout_ms, signal });
      if (!waited.ok) return waited;
      const { messages, timedOut, after: next } = waited.value;
      return ok({ messages: [...messages], timed_out: timedOut, after: next });
    },
    async boardMarkRead({ reader, num }, caller) {
      const name = readerOf(reader, caller);
      try {
        await board.markRead(name, num);
      } catch (error) {
        return fail('storage_full', `the mark was not stored (${errorCode(error)})`);
      }
      return ok(await board.unread(name));
    },
  };
}
