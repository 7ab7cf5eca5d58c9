/** Transcripts by the id of their conversation, for whoever knows no conversations: the hub, the terminals, the board, the search. */
import type { Entry, NewEntry } from '../../contract/entry.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok } from '../../contract/result.ts';
import type { LogReader } from '../../node/read-log.ts';
import type { ConversationSource } from '../hub/sync.ts';
import type { Registry } from './registry.ts';
import { parseEntry } from './session.ts';
import type { ConversationStore } from './store.ts';

/** The transcript of an open conversation. */
interface OpenTranscript {
  append(entry: NewEntry): Promise<number>;
  lastEntries(limit: number): Promise<readonly Entry[]>;
}

/** A log to read from, and how to let go of it. */
interface Lent {
  readonly reader: LogReader;
  release(): Promise<void>;
}

export interface Transcripts {
  /** What clients that follow a conversation are shown. */
  readonly source: ConversationSource;
  /** Opens the conversation; null when there is none. */
  open(id: ConversationId): Promise<OpenTranscript | null>;
  /** Opens nothing: an open conversation lends its own reader, another one a reader that is closed again. Null when there is no such file. */
  borrow(id: ConversationId, log: 'transcript' | 'history'): Promise<Lent | null>;
}

export function createTranscripts(registry: Registry, store: ConversationStore): Transcripts {
  return {
    source: {
      async open(id) {
        const opened = await registry.open(id);
        if (!opened.ok) return opened;
        const { session, row, meta } = opened.value;
        const { conversation_id: owner } = meta();
        // What follows is published under the id of the owner: a client that subscribed by another id would hear nothing.
        if (owner !== id)
          return fail('conflict', `the thread of ${id} belongs to the conversation ${owner}: follow that`);
        return ok({ lastSeq: session.publishedSeq, row });
      },
      async entriesAfter(id, after, upTo) {
        const opened = await registry.open(id);
        if (!opened.ok) return [];
        const { reader } = opened.value.session.transcript;
        return (await reader.read({ after, before: upTo + 1, limit: upTo - after })).lines;
      },
      async lastEntries(id, upTo, limit) {
        const opened = await registry.open(id);
        return opened.ok ? opened.value.history.page({ before: upTo + 1, limit }) : { lines: [], hasMore: false };
      },
    },
    async open(id) {
      const opened = await registry.open(id);
      if (!opened.ok) return null;
      const { session } = opened.value;
      return {
        append: session.append,
        lastEntries: async (limit) => (await session.transcript.reader.read({ limit })).lines.flatMap(parseEntry),
      };
    },
    async borrow(id, log) {
      const open = log === 'transcript' ? registry.peek(id) : null;
      if (open !== null) return { reader: open.session.transcript.reader, release: async () => undefined };
      const reader = await store.readOnly(id, log);
      return reader === null ? null : { reader, release: reader.close };
    },
  };
}
