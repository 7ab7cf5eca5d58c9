/** Reading and writing the board. Whoever asks shows the failure itself. */
import type { NewPost } from '../../contract/board.ts';
import type { Failure } from '../../contract/result.ts';
import type { RouteCall, RouteOutput } from '../../contract/routes.ts';
import type { Call } from './call.ts';
import type { AppStore } from './store.ts';

type BoardPage = RouteOutput<'boardList'>;

export interface BoardCommands {
  /** Null when the server could not be asked. */
  readBoard(query: RouteCall<'boardList'>): Promise<BoardPage | null>;
  readTopics(): Promise<readonly string[]>;
  writePost(post: NewPost): Promise<Failure | null>;
  erasePost(num: number): Promise<Failure | null>;
  markBoardRead(num: number): Promise<void>;
  /** Asks how much is unread. */
  countBoard(): Promise<void>;
}

export function createBoardCommands(store: AppStore, call: Call): BoardCommands {
  const note = (unread: number) => store.setState({ boardUnread: unread });
  return {
    readBoard: async (query) => {
      const page = await call('boardList', query);
      if (page.ok) note(page.value.unread);
      return page.ok ? page.value : null;
    },
    readTopics: async () => {
      const read = await call('boardTopics', {});
      return read.ok ? read.value.topics.map(({ topic }) => topic) : [];
    },
    writePost: async (post) => {
      const posted = await call('boardPost', post);
      return posted.ok ? null : posted.error;
    },
    erasePost: async (num) => {
      const erased = await call('boardDelete', { num });
      return erased.ok ? null : erased.error;
    },
    markBoardRead: async (num) => {
      const marked = await call('boardMarkRead', { num });
      if (marked.ok) note(marked.value.unread);
    },
    countBoard: async () => {
      const page = await call('boardList', { limit: 1 });
      if (page.ok) note(page.value.unread);
    },
  };
}
