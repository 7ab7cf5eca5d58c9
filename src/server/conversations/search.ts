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

/** What is left of one answer. */
interface Budget {
  bytes: number;
  readonly until: number;
}

/** Where the search stands in one conversation: entries below `seq` are still to be looked at. */
type Progress = { readonly at: 'end' } | { readonly at: 'paused'; readonly seq: number };

export function createSearch(options: SearchOptions): Search {
  const isSpent = (budget: Budget) => budget.bytes <= 0 || options.now() >= budget.until;

  /** Newest first: the transcript down to 1, then the pages from before it, 0 and down. */
  const searchOne = async (
    { id, name }: { readonly id: ConversationId; readonly name: string },
    needle: Needle,
    from: number,
    hits: Hit[],
    limit: number,
    budget: Budget,
  ): Promise<Progress> => {
    const look = (line: string, seqOf: (stored: number) => number): number | null => {
      budget.bytes -= line.length;
      if (!needle.mayBeIn(line)) return null;
      const [entry] = parseEntry(line);
      const snippet = entry === undefined ? null : findInEntry(entry, needle);
      if (entry === undefined || snippet === null) return null;
      const { ts, role } = entry;
      const seq = seqOf(entry.seq);
      hits.push({ conversation_id: id, name, seq, ts, role, snippet });
      return hits.length >= limit ? seq : null;
    };

    let next = from;
    const own = next > 1 ? await options.borrow(id, 'transcript') : null;
    try {
      while (own !== null && next > 1) {
        const page = await own.reader.read({ before: next, limit: SLICE_ENTRIES, maxBytes: SLICE_BYTES });
        for (const line of page.lines.reverse()) {
          const full = look(line, (seq) => seq);
          if (full !== null) return { at: 'paused', seq: full };
        }
        next = page.hasMore && page.firstSeq !== null ? page.firstSeq : 1;
        if (next > 1 && isSpent(budget)) return { at: 'paused', seq: next };
        await nextTurn();
      }
    } finally {
      await own?.release();
    }

    const past = await options.borrow(id, 'history');
    if (past === null) return { at: 'end' };
    try {
      // Line k holds the entry with seq 1 - k.
      for (let after = Math.max(0, 1 - Math.min(next, 1)); ; ) {
        const page = await past.reader.read({ after, limit: SLICE_ENTRIES, maxBytes: SLICE_BYTES });
        for (const line of page.lines) {
          const full = look(line, (k) => 1 - k);
          if (full !== null) return { at: 'paused', seq: full };
        }
        if (!page.hasMore || page.lastSeq === null) return { at: 'end' };
        after = page.lastSeq;
        if (isSpent(budget)) return { at: 'paused', seq: 1 - after };
        await nextTurn();
      }
    } finally {
      await past.release();
    }
  };

  const budgetOf = (): Budget => ({ bytes: MAX_BYTES, until: options.now() + MAX_MS });

  const inOne = async (
    meta: ConversationMeta,
    needle: Needle,
    { before, limit }: SearchQuery,
  ): Promise<Result<SearchAnswer>> => {
    const from = before === undefined ? Number.MAX_SAFE_INTEGER : parseSeq(before);
    if (from === null) return badCursor();
    const hits: Hit[] = [];
    const progress = await searchOne(
      { id: meta.conversation_id, name: nameOf(meta) },
      needle,
      from,
      hits,
      limit,
      budgetOf(),
    );
    return ok({
      hits,
      next_before: progress.at === 'end' ? null : String(progress.seq),
      is_complete: progress.at === 'end',
      has_unread_past: hasUnreadPast(meta),
    });
  };

  const inAll = async (needle: Needle, { before, limit }: SearchQuery): Promise<Result<SearchAnswer>> => {
    const cursor = before === undefined ? null : parseCursor(before);
    if (before !== undefined && cursor === null) return badCursor();
    const budget = budgetOf();
    const hits: Hit[] = [];
    const metas = [...options.metas()].sort(newestFirst).filter((meta) => cursor === null || !isDone(meta, cursor));
    for (const meta of metas) {
      const { conversation_id: id } = meta;
      const from = cursor?.id === id ? cursor.seq : Number.MAX_SAFE_INTEGER;
      const at = (seq: number) => `${cursor?.id === id ? cursor.updatedAt : meta.updated_at}~${id}~${seq}`;
      const stop = (next: string) =>
        ok({ hits, next_before: next, is_complete: false, has_unread_past: metas.some(hasUnreadPast) });
      if (hits.length >= limit || isSpent(budget)) return stop(at(from));
      const progress = await searchOne({ id, name: nameOf(meta) }, needle, from, hits, limit, budget);
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

const nameOf = ({ label, preview }: ConversationMeta): string => label ?? preview;

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
