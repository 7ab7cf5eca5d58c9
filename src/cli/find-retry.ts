/** `conversations retry`: which message is sent again, and how. */
import { Entry } from '../contract/entry.ts';
import type { ConversationId } from '../contract/ids.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { deliveryOf, gatherDeliveries, type MessageEntry } from '../core/conversations/reduce-deliveries.ts';
import { isRecord } from '../core/text/is-record.ts';
import type { Client } from './client.ts';
import { readAll } from './decode-frame.ts';
import type { SendRequest } from './send.ts';

/** More than one turn has, in all but the longest ones. */
const LOOK_BACK = 1000;

export type Retry = Pick<SendRequest, 'text' | 'images' | 'retryOf'>;

export async function findRetry(client: Client, id: ConversationId): Promise<Result<Retry>> {
  const answer = await client.callRaw('transcript', { conversation_id: id, limit: LOOK_BACK, aliases: 'false' });
  if (!answer.ok) return answer;
  return retryOf(readAll(Entry, isRecord(answer.value) ? answer.value.entries : []));
}

/** The newest message, if Codex did not get it or its turn did not complete. A message that was answered is not sent again. */
export function retryOf(entries: readonly Entry[]): Result<Retry> {
  const message = entries.findLast((entry): entry is MessageEntry => entry.role === 'user');
  if (message === undefined) return fail('conflict', 'there is no message to send again');
  const { state } = deliveryOf(message, gatherDeliveries(entries, 'end'));
  const content = { text: message.text, images: message.images ?? [] };
  if (state === 'not_delivered') {
    const { client_message_id: first } = message;
    return ok(first === undefined ? content : { ...content, retryOf: first });
  }
  const ending = entries.findLast((entry) => entry.role === 'status' && entry.seq > message.seq);
  if (ending?.role !== 'status') return fail('conflict', 'the last message has no answer yet: its turn still runs');
  if (ending.turn_status === 'completed')
    return fail('conflict', 'the last message was answered; send a new message instead');
  return ok(content);
}
