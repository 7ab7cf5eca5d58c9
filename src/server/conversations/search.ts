/** Finds text in transcripts, newest first, in slices that leave the loop free; conversations that are not open stay closed. */
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Hit } from '../../contract/routes-search.ts';
import { createNeedle, findInEntry, type Needle } from '../../core/search/find.ts';
import { parseEntry } from './session.ts';
import type { Transcripts } from './transcripts.ts';

interface SearchQuery {
  readonly q: string;
  readonly conversationId: ConversationId | undefined;
  readonly before: string | undefined;
  readonly limit: number;
}

interface SearchAnswer {
  readonly hits: Hit[];
  readonly next_before: string | null;
  readonly is_complete: boolean;
  readonly has_unread_past: boolean;
}

export interface Search {
  find(query: SearchQuery): Promise<Result<SearchAnswer>>;
}

interface SearchOptions {
  readonly metas: () => readonly ConversationMeta[];
  readonly borrow: Transcripts['borrow'];
  readonly now: () => number;
}

/** One answer looks no longer than this: the page shows what there is and asks for more. */
const MAX_MS = 500;
/** As many bytes as two conversations of 100,000 entries. */
const MAX_BYTES = 400 * 1024 * 1024;
/** Read and looked through between two turns of the loop: about a millisecond. */
const SLICE_BYTES = 512 * 1024;
const SLICE_ENTRIES = 1_000;
/** Below every seq there can be. */
const LOWEST = Number.MIN_SAFE_INTEGER;

/** One answer in the making: what is looked for, what was found, and what may still be spent. */
interface Hunt {
  readonly needle: Needle;
  readonly limit: number;
  readonly hits: Hit[];
  bytes: number;
  readonly until: number;
}

/** The conversation that is looked through, as its hits name it. */
interface Ground {
  readonly id: ConversationId;
  readonly name: string;
}

/** Where the search stands in one conversation: entries below `seq` are still to be looked at. */
type Progress = { readonly at: 'end' } | { readonly at: 'paused'; readonly seq: number };

export function createSearch(options: SearchOptions): Search {
  const begin = (needle: Needle, limit: number): Hunt => ({
    needle,
    limit,
    hits: [],
    bytes: MAX_BYTES,
    until: options.now() + MAX_MS,
  });
  const isSpent = (hunt: Hunt) => hunt.bytes <= 0 || options.now() >= hunt.until;

  /** Newest first: the transcript down to 1, then the pages from before it, 0 and down. */
  const searchOne = async (hunt: Hunt, ground: Ground, from: number): Promise<Progress> => {
    const own = from > 1 ? await searchTranscript(hunt, ground, from) : null;
    return own?.at === 'paused' ? own : searchPast(hunt, ground, Math.min(from, 1));
  };

  const searchTranscript = async (hunt: Hunt, ground: Ground, from: number): Promise<Progress> => {
    const own = await options.borrow(ground.id, 'transcript');
    if (own === null) return { at: 'end' };
    try {
      for (let before = from; ; ) {
        const page = await own.reader.read({ before, limit: SLICE_ENTRIES, maxBytes: SLICE_BYTES });
        const full = lookThrough(hunt, ground, page.lines.reverse(), (seq) => seq);
        if (full !== null) return { at: 'paused', seq: full };
        if (!page.hasMore || page.firstSeq === null || page.firstSeq <= 1) return { at: 'end' };
        before = page.firstSeq;
        if (isSpent(hunt)) return { at: 'paused', seq: before };
        await nextTurn();
      }
    } finally {
      await own.release();
    }
  };

  /** Line k of the history holds the entry with seq 1 - k. */
  const searchPast = async (hunt: Hunt, ground: Ground, from: number): Promise<Progress> => {
    const past = await options.borrow(ground.id, 'history');
    if (past === null) return { at: 'end' };
    try {
      for (let after = 1 - from; ; ) {
        const page = await past.reader.read({ after, limit: SLICE_ENTRIES, maxBytes: SLICE_BYTES });
        const full = lookThrough(hunt, ground, page.lines, (k) => 1 - k);
        if (full !== null) return { at: 'paused', seq: full };
        if (!page.hasMore || page.lastSeq === null) return { at: 'end' };
        after = page.lastSeq;
        if (isSpent(hunt)) return { at: 'paused', seq: 1 - after };
        await nextTurn();
      }
    } finally {
      await past.release();
    }
  };

  const inOne = async (
    meta: ConversationMeta,
    needle: Needle,
    { before, limit }: SearchQuery,
  ): Promise<Result<SearchAnswer>> => {
    const from = before === undefined ? Number.MAX_SAFE_INTEGER : parseSeq(before);
    if (from === null) return badCursor();
    const hunt = begin(needle, limit);
    const progress = await searchOne(hunt, groundOf(meta), from);
    return ok({
      hits: hunt.hits,
      next_before: progress.at === 'end' ? null : String(progress.seq),
      is_complete: progress.at === 'end',
      has_unread_past: hasUnreadPast(meta),
    });
  };

  const inAll = async (needle: Needle, { before, limit }: SearchQuery): Promise<Result<SearchAnswer>> => {
    const cursor = before === undefined ? null : parseCursor(before);
    if (before !== undefined && cursor === null) return badCursor();
    const hunt = begin(needle, limit);
    const { hits } = hunt;
    const metas = [...options.metas()].sort(newestFirst).filter((meta) => cursor === null || !isDone(meta, cursor));
    for (const meta of metas) {
      const { conversation_id: id } = meta;
      const from = cursor?.id === id ? cursor.seq : Number.MAX_SAFE_INTEGER;
      const at = (seq: number) => `${cursor?.id === id ? cursor.updatedAt : meta.updated_at}~${id}~${seq}`;
      const stop = (next: string) =>
        ok({ hits, next_before: next, is_complete: false, has_unread_past: metas.some(hasUnreadPast) });
      if (hits.length >= limit || isSpent(hunt)) return stop(at(from));
      const progress = await searchOne(hunt, groundOf(meta), from);
      if (progress.at === 'paused') return stop(at(progress.seq));
    }
    return ok({ hits, next_before: null, is_complete: true, has_unread_past: metas.some(hasUnreadPast) });
  };

  return {
    async find(query) {
      const needle = createNeedle(query.q);
      if (query.conversationId === undefined) return inAll(needle, query);
      const meta = options.metas().find((one) => one.conversation_id === query.conversationId);
      if (meta === undefined) return fail('unknown_conversation', `there is no conversation ${query.conversationId}`);
      return inOne(meta, needle, query);
    },
  };
}

const groundOf = ({ conversation_id: id, label, preview }: ConversationMeta): Ground => ({
  id,
  name: label ?? preview,
});

/** Lines are newest first. The seq of the hit that makes the answer full; null while there is room. `seqOf`: of the number an entry is stored with. */
function lookThrough(
  hunt: Hunt,
  ground: Ground,
  lines: readonly string[],
  seqOf: (stored: number) => number,
): number | null {
  const { needle, hits } = hunt;
  for (const line of lines) {
    hunt.bytes -= line.length;
    const [entry] = needle.mayBeIn(line) ? parseEntry(line) : [];
    const found = entry === undefined ? null : findInEntry(entry, needle);
    if (entry === undefined || found === null) continue;
    const { ts, role } = entry;
    const { count, ...snippet } = found;
    const seq = seqOf(entry.seq);
    hits.push({ conversation_id: ground.id, name: ground.name, seq, ts, role, count, snippet });
    if (hits.length >= hunt.limit) return seq;
  }
  return null;
}

interface Cursor {
  readonly updatedAt: string;
  readonly id: ConversationId;
  readonly seq: number;
}

const newestFirst = (a: ConversationMeta, b: ConversationMeta): number =>
  compare(b.updated_at, a.updated_at) || compare(b.conversation_id, a.conversation_id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Conversations before the one the cursor names. One that was used since comes again from its end only in a new search. */
function isDone(meta: ConversationMeta, { updatedAt, id }: Cursor): boolean {
  if (meta.conversation_id === id) return false;
  return (compare(updatedAt, meta.updated_at) || compare(id, meta.conversation_id)) < 0;
}

function parseCursor(text: string): Cursor | null {
  const [updatedAt, id, last] = text.split('~');
  const seq = parseSeq(last ?? '');
  return updatedAt === undefined || id === undefined || seq === null ? null : { updatedAt, id, seq };
}

function parseSeq(text: string): number | null {
  const seq = Number(text);
  return text.trim() !== '' && Number.isSafeInteger(seq) && seq > LOWEST ? seq : null;
}

const badCursor = (): Result<never> => fail('invalid_request', 'before must be next_before of an earlier answer');

const hasUnreadPast = (meta: ConversationMeta): boolean => meta.history !== null && !meta.history.complete;

const nextTurn = (): Promise<void> => new Promise((done) => setImmediate(done));
