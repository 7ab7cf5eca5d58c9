/** A post on the board → the event that tells a conversation of it. */
import type { BoardMessage } from '../../contract/board.ts';
import { cutMiddle } from '../text/cut.ts';
import { parseIsoTime } from '../text/iso-time.ts';

/** Far more than the model is told, and an envelope of any post stays within its bound. */
const MAX_POST_CHARS = 8_192;
/** More than any limit; the count of posts has none. */
const MAX_EVENT_HOPS = 1_000;

/** `id`: the same for the same post and conversation. */
export function eventOfPost(
  message: BoardMessage,
  { id, threadId, source }: { readonly id: string; readonly threadId: string; readonly source: string },
) {
  return {
    schema_version: 1,
    event_id: id,
    time_unix_ms: parseIsoTime(message.ts) ?? 0,
    type: 'agent.message',
    source: { name: source },
    routing: { thread_id: threadId, hops: Math.min(message.hops, MAX_EVENT_HOPS) },
    title: `${message.who} on the board`,
    summary: cutMiddle(message.message, MAX_POST_CHARS).text,
    payload: { from: { name: message.who, kind: message.kind }, num: message.num, reply_to: message.reply_to },
  };
}
