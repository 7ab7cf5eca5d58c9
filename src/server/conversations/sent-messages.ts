/** The messages of a conversation as they were submitted: their words while they are on their way, and every id there ever was. */
import type { ImageInput, QueuedMessage } from '../../contract/conversation.ts';
import type { DeliveryState, Entry, MessageMode } from '../../contract/entry.ts';
import { speakerOf } from '../../core/events/render-speaker.ts';
import type { Unsettled } from '../../core/outbox/state.ts';
import type { IdFile } from '../../node/id-file.ts';
import { createSerial } from '../../node/serial.ts';

/** A message as it is given to Codex. */
export interface MessageBody {
  readonly text: string;
  readonly images: readonly ImageInput[];
  /** The message that was not delivered and that this one repeats. */
  readonly retryOf?: string | undefined;
}

export interface SentMessages {
  /** Null for an id that was never submitted, or whose submission was refused. */
  stateOf(id: string): Promise<DeliveryState | 'stored' | null>;
  /** Without looking on disk: of the newest messages only. */
  recentState(id: string): DeliveryState | null;
  body(id: string): MessageBody | null;
  /** When its entry was written; null before. */
  storedAtMs(id: string): number | null;
  /** Kept until the message is settled. */
  keep(id: string, body: MessageBody): void;
  forget(id: string): void;
  /** The id is on disk, in the queue or in the transcript: it is never taken again. */
  note(id: string): void;
  /** An entry that is on disk, of now or of before. */
  see(entry: Entry): void;
  /** Messages of before whose delivery nobody noted. */
  unsettled(): readonly Omit<Unsettled, 'events'>[];
  drain(): Promise<void>;
}

interface Known {
  readonly mode: MessageMode;
  readonly state: DeliveryState;
  readonly turnId: string | null;
  readonly atMs: number;
}

/** States remembered for repeated sends; of older ones only the id is known. */
const MAX_KNOWN = 500;

export function createSentMessages(options: {
  readonly ids: IdFile;
  readonly onError: (error: unknown) => void;
}): SentMessages {
  const { ids } = options;
  const known = new Map<string, Known>();
  const bodies = new Map<string, MessageBody>();
  const notes = createSerial();
  let isCaughtUp = false;

  const remember = (id: string, one: Known) => {
    known.delete(id);
    known.set(id, one);
    const [oldest] = known;
    if (known.size > MAX_KNOWN && oldest !== undefined && oldest[1].state !== 'sent') known.delete(oldest[0]);
  };

  const note = (all: readonly string[]) => {
    notes.run(() => ids.add(all)).catch(options.onError);
  };

  return {
    async stateOf(id) {
      // A kill may have come between an entry and the noting of its id.
      if (!isCaughtUp) note([...known.keys()]);
      isCaughtUp = true;
      const state = known.get(id)?.state;
      if (state !== undefined) return state;
      await notes.idle();
      return (await ids.has(id)) ? 'stored' : null;
    },
    recentState: (id) => known.get(id)?.state ?? null,
    body: (id) => bodies.get(id) ?? null,
    storedAtMs: (id) => known.get(id)?.atMs ?? null,
    keep: (id, body) => void bodies.set(id, body),
    forget: (id) => void bodies.delete(id),
    note: (id) => note([id]),
    see(entry) {
      if (entry.role === 'user' && entry.client_message_id !== undefined) {
        const { client_message_id: id, state, mode, turn_id, ts } = entry;
        // Entries of before there were states were written when Codex had the message.
        remember(id, {
          mode: mode ?? 'send',
          state: state ?? 'delivered',
          turnId: turn_id ?? null,
          atMs: Date.parse(ts),
        });
        if (state === 'sent') bodies.set(id, { text: entry.text, images: entry.images ?? [] });
      }
      if (entry.role !== 'delivery') return;
      const before = known.get(entry.client_message_id);
      if (before === undefined) return;
      const turnId = entry.turn_id ?? before.turnId;
      remember(entry.client_message_id, { ...before, state: entry.state, turnId });
      if (entry.state !== 'sent') bodies.delete(entry.client_message_id);
    },
    unsettled: () =>
      [...known].flatMap(([id, { mode, state, turnId }]) =>
        state === 'sent' ? [{ id, mode, turnId, origin: speakerOf(id) === 'event' ? 'events' : 'person' }] : [],
      ),
    drain: async () => {
      await notes.idle();
      await ids.drain();
    },
  };
}

export const bodyOfQueued = ({ text, images, retry_of }: QueuedMessage): MessageBody => ({
  text,
  images,
  ...(retry_of !== undefined && { retryOf: retry_of }),
});
