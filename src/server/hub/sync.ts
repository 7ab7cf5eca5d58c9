/** The first frame a client that follows a conversation gets: what it missed, or the newest page when that is too much. */
import type { ConversationRow } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { Result } from '../../contract/result.ts';
import { MAX_REPLAY_ENTRIES, PAGE_ENTRIES } from '../../contract/ui-event.ts';
import { newestWithin, renderSync, type Snapshot } from './frames.ts';

interface OpenConversation {
  /**
   * The last entry whose event was published, or which was on disk before the conversation was loaded.
   * Never ahead of `publish`: what an event still to come would end must not be in the snapshot as ended.
   */
  lastSeq(): number;
  row(): ConversationRow;
}

interface NewestPage {
  readonly lines: readonly string[];
  readonly hasMore: boolean;
}

/** Entries are given as they are on disk, one JSON text each, oldest first: they go into the frame unparsed. */
export interface ConversationSource {
  /** Loads the conversation if it is not loaded. */
  open(conversationId: ConversationId): Promise<Result<OpenConversation>>;
  /** Entries with after < seq ≤ upTo. */
  entriesAfter(conversationId: ConversationId, after: number, upTo: number): Promise<readonly string[]>;
  /** The newest `limit` entries with seq ≤ upTo, and whether there are older ones. */
  lastEntries(conversationId: ConversationId, upTo: number, limit: number): Promise<NewestPage>;
}

/** Entries in one sync frame: half of what a client may have queued, so that the frame alone never gets it cut off. */
const MAX_SYNC_CHARS = 4 * 1024 * 1024;

/** `after`: the last seq the client knows; absent when it comes for the first time. */
export async function readSync(
  source: ConversationSource,
  snapshot: Snapshot,
  after: number | undefined,
): Promise<Buffer> {
  const { id, seq } = snapshot;
  if (after !== undefined && after >= 0 && after <= seq && seq - after <= MAX_REPLAY_ENTRIES) {
    const missed = after === seq ? [] : await source.entriesAfter(id, after, seq);
    if (newestWithin(MAX_SYNC_CHARS, missed).length === missed.length) return renderSync(snapshot, 'replay', missed);
  }
  const page = await source.lastEntries(id, seq, PAGE_ENTRIES);
  const lines = newestWithin(MAX_SYNC_CHARS, page.lines);
  return renderSync(snapshot, 'reset', lines, page.hasMore || lines.length < page.lines.length);
}
