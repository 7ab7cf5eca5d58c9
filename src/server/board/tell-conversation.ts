/** What a delivery does: an event for the model by the rules of the conversation, and a card in its transcript. */
import type { BoardMessage } from '../../contract/board.ts';
import type { Entry, NewEntry } from '../../contract/entry.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Deliver } from './deliveries.ts';

/** What the board needs of a conversation. */
interface TranscriptPort {
  append(entry: NewEntry): Promise<unknown>;
  lastEntries(limit: number): Promise<readonly Entry[]>;
}

/** The same id for the same post and conversation, so that a repetition is recognized. */
export interface AgentMessage {
  readonly id: string;
  readonly conversationId: ConversationId;
  readonly message: BoardMessage;
  /** Its card is there and knows of no event yet. */
  readonly isLate: boolean;
}

export interface TellPorts {
  /** Null for a conversation that is no more. */
  open(id: ConversationId): Promise<TranscriptPort | null>;
  /** Null when no event could be made of it; `later` for a conversation that has no thread yet: it is told with the first message. */
  publish(message: AgentMessage): Promise<EventReceipt | 'later' | null>;
}

/** The event that a post is for the model. */
export type EventReceipt = NonNullable<Extract<NewEntry, { role: 'board' }>['receipt']>;

/** Looked through for a card that a crash may have let us write already. */
const REPEAT_WINDOW = 1_000;

export function tellConversations(ports: TellPorts): Deliver {
  return async ({ conversationId, message, wakes, isRepeat }) => {
    const transcript = await ports.open(conversationId);
    if (transcript === null) return;
    const { num, who, kind, topic, reply_to } = message;
    const id = `board-${num}-${conversationId}`;
    const earlier = isRepeat ? await transcript.lastEntries(REPEAT_WINDOW) : [];
    const card = earlier.find((one) => one.role === 'board' && one.num === num);
    if (card !== undefined && isTied(card, earlier, id)) return;
    const published = wakes ? await ports.publish({ id, conversationId, message, isLate: card !== undefined }) : null;
    if (card !== undefined) return;
    const receipt = published === 'later' ? null : published;
    const isForPeople = receipt?.mode === 'notify_only' || receipt?.mode === 'drop';
    const told = published !== null && !isForPeople;
    const from_conversation_id = message.conversation_id;
    await transcript.append({
      role: 'board',
      num,
      who,
      kind,
      from_conversation_id,
      text: message.message,
      topic,
      reply_to,
      told,
      ...(receipt !== null && { receipt }),
    });
  };
}

/** Whether the transcript says which event a post has become. */
function isTied(card: Entry, entries: readonly Entry[], eventId: string): boolean {
  if (card.role === 'board' && card.receipt !== undefined) return true;
  return entries.some((one) => one.role === 'external_event' && one.events.some((event) => event.event_id === eventId));
}
