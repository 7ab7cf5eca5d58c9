/**
 * Follows the threads of conversations that somebody looks at while another program of Codex may write to them: tells who has the thread
 * open, and reads its new turns whenever its file changes.
 */
import { statSync } from 'node:fs';
import type { ConversationId } from '../../contract/ids.ts';
import type { ThreadHolder } from '../../contract/ui-event.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { Conversation } from './conversation.ts';

export interface FollowOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly followed: () => readonly ConversationId[];
  readonly peek: (id: ConversationId) => Conversation | null;
  readonly publish: (id: ConversationId, holder: ThreadHolder | null) => void;
}

export interface FollowElsewhere {
  /** Reads what is new before somebody is shown the conversation. */
  look(conversation: Conversation): Promise<void>;
  close(): void;
}

/** A released thread is usable within a second; a look is two calls of `stat`. */
const LOOK_MS = 400;
/** Who opens a conversation is not kept waiting longer for turns of others; they appear a moment later then. */
const MAX_WAIT_MS = 1_500;

interface Seen {
  readonly stamp: string;
  readonly holder: number | null;
}

export function followElsewhere(options: FollowOptions): FollowElsewhere {
  const { clock, log } = options;
  const seen = new Map<ConversationId, Seen>();
  const looking = new Map<ConversationId, Promise<void>>();
  let timer: Timer | null = null;
  let isClosed = false;

  const lookNow = async (conversation: Conversation): Promise<void> => {
    const { conversation_id: id, rollout_path: path, thread_id } = conversation.meta();
    const { thread } = conversation;
    // Codex lets nobody else write to a thread that it has loaded itself.
    const holder = thread_id === null || thread.isLoaded() ? null : thread.holder();
    const before = seen.get(id);
    const pid = holder?.pid ?? null;
    if (pid !== (before?.holder ?? null)) options.publish(id, holder);
    const stamp = thread_id === null || thread.isLoaded() ? '' : stampOf(path);
    const isSame = stamp === before?.stamp && pid === before.holder;
    const isRead = isSame || stamp === '' || (await thread.readElsewhere());
    // Read again at the next look where Codex could not say.
    seen.set(id, { stamp: isRead ? stamp : '?', holder: pid });
  };

  const look = (conversation: Conversation): Promise<void> => {
    const { conversation_id: id } = conversation.meta();
    const running =
      looking.get(id) ??
      lookNow(conversation)
        .catch((error: unknown) => log.warn({ error, id }, 'turns made elsewhere could not be read'))
        .finally(() => looking.delete(id));
    looking.set(id, running);
    return running;
  };

  const next = () => {
    if (isClosed) return;
    timer = clock.setTimer(LOOK_MS, () => {
      const conversations = options.followed().flatMap((id) => options.peek(id) ?? []);
      void Promise.all(conversations.map(look)).then(next);
    });
  };
  next();

  return {
    look: (conversation) => Promise.race([look(conversation), clock.sleep(MAX_WAIT_MS)]),
    close() {
      isClosed = true;
      timer?.cancel();
    },
  };
}

/** Changes whenever somebody writes to the file; empty without a file. */
function stampOf(path: string | null): string {
  if (path === null) return '';
  try {
    const { mtimeMs, size } = statSync(path);
    return `${mtimeMs} ${size}`;
  } catch {
    return '';
  }
}
