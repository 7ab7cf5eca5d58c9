/** Messages → threads as a reader sees them: a post with everything said in reply to it, however deep, in order. Pure. */
import type { BoardMessage } from '../../contract/board.ts';

export interface BoardThread {
  readonly root: BoardMessage;
  /** Oldest first. */
  readonly replies: readonly BoardMessage[];
  readonly lastNum: number;
}

/** A reply whose beginning is not among the messages begins a thread of its own. The thread with the newest message is last. */
export function threadsOf(messages: readonly BoardMessage[]): readonly BoardThread[] {
  const rootOf = new Map<number, number>();
  const threads = new Map<number, { root: BoardMessage; replies: BoardMessage[]; lastNum: number }>();
  for (const message of [...messages].sort((a, b) => a.num - b.num)) {
    const root = message.reply_to === null ? undefined : rootOf.get(message.reply_to);
    const thread = root === undefined ? undefined : threads.get(root);
    rootOf.set(message.num, root ?? message.num);
    if (thread === undefined) threads.set(message.num, { root: message, replies: [], lastNum: message.num });
    else {
      thread.replies.push(message);
      thread.lastNum = message.num;
    }
  }
  return [...threads.values()].sort((a, b) => a.lastNum - b.lastNum);
}
