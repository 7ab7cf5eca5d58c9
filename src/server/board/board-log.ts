/** The board on disk: `board/messages.jsonl`, and in memory only what lists and counts need. Text is read back when it is shown. */
import { join } from 'node:path';
import { type AuthorKind, type BoardMessage, BoardRecord } from '../../contract/board.ts';
import { openAppendLog, type StorageState } from '../../node/append-log.ts';
import { ensurePrivateDir } from '../../node/atomic-file.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { parseAs } from '../../node/read-json.ts';
import { createLogReader } from '../../node/read-log.ts';

/** What is kept of a message in memory. */
export interface Brief {
  readonly num: number;
  readonly seq: number;
  readonly who: string;
  readonly kind: AuthorKind;
  readonly conversationId: string | null;
  readonly topic: string | null;
  readonly replyTo: number | null;
  readonly for: readonly string[];
  readonly hops: number;
}

export interface BoardLog {
  /** Highest number ever given, also to a message that was deleted. */
  lastNum(): number;
  brief(num: number): Brief | null;
  /** In rising order; those that were deleted are not among them. */
  briefs(range: { readonly after?: number; readonly before?: number }): Iterable<Brief>;
  read(num: number): Promise<BoardMessage | null>;
  /** Several at once, in the order of the file; what is gone is left out. */
  readMany(briefs: readonly Brief[]): Promise<BoardMessage[]>;
  /** Gives the number at once and resolves when the message is durable. */
  append(message: Omit<BoardMessage, 'num'>, clientMessageId: string | null): Promise<BoardMessage>;
  /** The message an id was used for, if it was used not too long ago. */
  postedAs(clientMessageId: string): Promise<BoardMessage> | null;
  remove(num: number, ts: string): Promise<void>;
  state(): StorageState;
  queuedBytes(): number;
  close(): Promise<void>;
}

/** Enough for every script that repeats a post after a failure; a day-old repetition is a new post. */
const MAX_REMEMBERED_IDS = 10_000;
const LOAD_LINES = 1_000;
const LOAD_BYTES = 1024 * 1024;

export async function openBoardLog(options: {
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Logger;
}): Promise<BoardLog> {
  await ensurePrivateDir(options.dir);
  const path = join(options.dir, 'messages.jsonl');
  const log = await openAppendLog({ path, clock: options.clock });
  if (log.skipped.count > 0) options.log.warn({ path, skipped: log.skipped }, 'damaged lines were skipped');
  const reader = createLogReader({ path, index: log.index });
  const briefs = new Map<number, Brief>();
  const posted = new Map<string, Promise<BoardMessage>>();
  let lastNum = 0;

  const remember = (id: string, message: Promise<BoardMessage>) => {
    posted.set(id, message);
    const oldest = posted.keys().next();
    if (posted.size > MAX_REMEMBERED_IDS && !oldest.done) posted.delete(oldest.value);
  };

  const take = (record: BoardRecord) => {
    if ('deleted' in record) {
      briefs.delete(record.deleted);
      return;
    }
    const { seq, client_message_id: id, ...message } = record;
    briefs.set(message.num, briefOf(message, seq));
    lastNum = Math.max(lastNum, message.num);
    if (id !== undefined) remember(id, Promise.resolve(message));
  };

  for (let after = 0; ; ) {
    const page = await reader.read({ after, limit: LOAD_LINES, maxBytes: LOAD_BYTES });
    for (const line of page.lines) {
      const record = parseAs(BoardRecord, line);
      if (record !== null) take(record);
    }
    if (!page.hasMore || page.lastSeq === null) break;
    after = page.lastSeq;
    await nextTurn();
  }

  /** One read for neighbors; between two of them there are at most the lines of deletions. */
  const readMany = async (wanted: readonly Brief[]): Promise<BoardMessage[]> => {
    const seqs = wanted.map(({ seq }) => seq).sort((a, b) => a - b);
    const asked = new Set(seqs);
    const found: BoardMessage[] = [];
    const last = seqs.at(-1) ?? 0;
    for (let next = seqs[0]; next !== undefined; ) {
      const from = next;
      const page = await reader.read({ after: from - 1, before: last + 1, limit: seqs.length, maxBytes: LOAD_BYTES });
      for (const line of page.lines) {
        const record = parseAs(BoardRecord, line);
        if (record === null || 'deleted' in record || !asked.has(record.seq) || !briefs.has(record.num)) continue;
        const { seq: _seq, client_message_id: _id, ...message } = record;
        found.push(message);
      }
      const reached = page.lastSeq ?? last;
      next = seqs.find((seq) => seq > reached);
    }
    return found;
  };

  return {
    lastNum: () => lastNum,
    brief: (num) => briefs.get(num) ?? null,
    *briefs({ after = 0, before = lastNum + 1 }) {
      for (let num = after + 1; num < before; num += 1) {
        const brief = briefs.get(num);
        if (brief !== undefined) yield brief;
      }
    },
    async read(num) {
      const brief = briefs.get(num);
      return brief === undefined ? null : ((await readMany([brief]))[0] ?? null);
    },
    readMany,
    append(message, clientMessageId) {
      lastNum += 1;
      const numbered: BoardMessage = { num: lastNum, ...message };
      const id = clientMessageId === null ? {} : { client_message_id: clientMessageId };
      const pending = log.append((seq) => JSON.stringify({ seq, ...numbered, ...id }));
      const stored = pending.done.then(() => {
        briefs.set(numbered.num, briefOf(numbered, pending.seq));
        return numbered;
      });
      if (clientMessageId !== null) {
        remember(clientMessageId, stored);
        stored.catch(() => posted.delete(clientMessageId));
      }
      return stored;
    },
    postedAs: (id) => posted.get(id) ?? null,
    async remove(num, ts) {
      await log.append((seq) => JSON.stringify({ seq, deleted: num, ts })).done;
      briefs.delete(num);
    },
    state: () => log.state(),
    queuedBytes: () => log.queuedBytes(),
    close: async () => void (await Promise.all([log.close(), reader.close()])),
  };
}

function briefOf(message: BoardMessage, seq: number): Brief {
  const { num, who, kind, conversation_id: conversationId, topic, reply_to: replyTo, for: keys, hops } = message;
  return { num, seq, who, kind, conversationId, topic, replyTo, for: keys, hops };
}

const nextTurn = (): Promise<void> => new Promise((done) => setImmediate(done));
