/** Pages of a transcript, both ways; before its first entry, pages of what Codex kept from before the conversation was opened here. */
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { NewEntry } from '../../contract/entry.ts';
import type { Result } from '../../contract/result.ts';
import { asHeld } from '../../core/conversations/elsewhere.ts';
import { entriesOfTurn } from '../../core/conversations/past-turns.ts';
import { createSerial } from '../../node/serial.ts';
import type { CodexPort } from './ports.ts';
import { parseEntry, type Session } from './session.ts';
import type { ConversationStore, Transcript } from './store.ts';
import type { MetaChange } from './stored-meta.ts';

interface Page {
  /** Raw JSON texts of entries, oldest first. */
  readonly lines: readonly string[];
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  readonly hasMore: boolean;
}

export interface PageQuery {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly limit: number;
}

export interface History {
  page(query: PageQuery): Promise<Page>;
  /** The newest turn of the past that was fetched so far; null if none was. */
  newestTurn(): Promise<string | null>;
  close(): Promise<void>;
}

const TURNS_PER_FETCH = 20;
const NONE: Page = { lines: [], firstSeq: null, lastSeq: null, hasMore: false };

export function createHistory(options: {
  readonly codex: CodexPort;
  readonly session: Pick<Session, 'state' | 'transcript'>;
  readonly store: Pick<ConversationStore, 'openHistory'>;
  readonly meta: () => ConversationMeta;
  readonly changeMeta: (change: MetaChange) => Promise<Result<null>>;
}): History {
  let cache: Promise<Transcript> | null = null;
  const fetching = createSerial();
  const openCache = () => {
    cache ??= options.store.openHistory(options.meta().conversation_id);
    return cache;
  };

  /** Line k of the cache is the entry with seq 1 - k: the newest first, so that older pages are appends. */
  const fetchOlder = async (log: Transcript) => {
    const { history, thread_id } = options.meta();
    if (history === null || history.complete || thread_id === null) return;
    const page = await options.codex.listTurns(thread_id, { limit: TURNS_PER_FETCH, cursor: history.cursor });
    if (!page.ok) return;
    const firstHere = new Set(options.session.state().endedTurns);
    const isHeld = options.codex.holderOf(thread_id) !== null;
    for (const record of asHeld(page.value.turns, isHeld && history.cursor === null)) {
      // It goes on elsewhere, and is told when it has ended.
      if (record.status === 'running') continue;
      if (firstHere.has(record.turnId) || options.session.state().turn?.id === record.turnId) continue;
      const ts = new Date(record.startedAtMs ?? 0).toISOString();
      const place = { threadId: thread_id, cwd: options.meta().cwd, digest: options.session.state().digest };
      for (const entry of entriesOfTurn(record, place).reverse()) append(log, ts, entry);
    }
    await log.log.drain();
    const cursor = page.value.nextCursor;
    await options.changeMeta((meta) => ({ ...meta, history: { cursor, complete: cursor === null } }));
  };

  const append = (log: Transcript, ts: string, entry: NewEntry) => {
    log.log.append((line) => JSON.stringify({ seq: line, ts, ...entry }));
  };

  const older = async (before: number, limit: number): Promise<Page> => {
    if (options.meta().history === null) return NONE;
    const log = await openCache();
    const skip = Math.max(0, 1 - before);
    const isEnough = () => log.log.lastDurableSeq() >= skip + limit || (options.meta().history?.complete ?? true);
    await fetching.run(async () => {
      while (!isEnough()) {
        const had = options.meta().history?.cursor;
        const count = log.log.lastDurableSeq();
        await fetchOlder(log);
        if (log.log.lastDurableSeq() === count && options.meta().history?.cursor === had) return;
      }
    });
    const page = await log.reader.read({ after: skip, limit });
    const lines = page.lines.map((line) => renumber(line)).reverse();
    if (page.firstSeq === null || page.lastSeq === null) return NONE;
    const hasMore = page.hasMore || !(options.meta().history?.complete ?? true);
    return { lines, firstSeq: 1 - page.lastSeq, lastSeq: 1 - page.firstSeq, hasMore };
  };

  return {
    async page({ before, after, limit }) {
      const { reader } = options.session.transcript;
      if (after !== undefined && after < 0) {
        const start = await older(Math.min(after + limit + 1, 1), Math.min(limit, -after));
        return start;
      }
      if (after !== undefined) return reader.read({ after, limit, ...(before !== undefined && { before }) });
      const page =
        before !== undefined && before <= 1
          ? NONE
          : await reader.read({ limit, ...(before !== undefined && { before }) });
      const room = limit - page.lines.length;
      if (room === 0 || page.hasMore) return { ...page, hasMore: page.hasMore || options.meta().history !== null };
      const past = await older(Math.min(before ?? 1, page.firstSeq ?? 1, 1), room);
      return {
        lines: [...past.lines, ...page.lines],
        firstSeq: past.firstSeq ?? page.firstSeq,
        lastSeq: page.lastSeq ?? past.lastSeq,
        hasMore: past.hasMore,
      };
    },
    async newestTurn() {
      if (options.meta().history === null) return null;
      const page = await (await openCache()).reader.read({ after: 0, limit: 1 });
      const entry = page.lines[0] === undefined ? undefined : parseEntry(page.lines[0])[0];
      return entry?.turn_id ?? null;
    },
    async close() {
      await (await cache)?.close();
    },
  };
}

function renumber(line: string): string {
  return line.replace(/^\{"seq":(\d+)/, (_all, k: string) => `{"seq":${1 - Number(k)}`);
}
