/** Conversations on disk: the sidecar, the transcript, the page cache of older history, and what a crash must not lose. */
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConversationMeta } from '../../contract/conversation.ts';
import { ConversationId } from '../../contract/ids.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { TurnMemoryFile } from '../../contract/run-files.ts';
import type { TurnMemory } from '../../core/conversations/reconcile.ts';
import { isRecord } from '../../core/text/is-record.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import { type AppendLog, openAppendLog, type StorageState } from '../../node/append-log.ts';
import { ensurePrivateDir, errorCode, writeFileAtomic } from '../../node/atomic-file.ts';
import type { Clock } from '../../node/clock.ts';
import { createIdFile, type IdFile } from '../../node/id-file.ts';
import { readLastSeq } from '../../node/last-entry.ts';
import type { Logger } from '../../node/logger.ts';
import { createLogReader, type LogReader, openLogReader } from '../../node/read-log.ts';

export interface Transcript {
  readonly log: AppendLog;
  readonly reader: LogReader;
  close(): Promise<void>;
}

export interface ConversationStore {
  /** Every readable sidecar; a broken one is reported and left alone. */
  loadAll(): Promise<StoredConversation[]>;
  saveMeta(meta: ConversationMeta): Promise<Result<null>>;
  openTranscript(id: ConversationId): Promise<Transcript>;
  /** Every `client_message_id` the conversation ever had. */
  openMessageIds(id: ConversationId): IdFile;
  /** Pages of history Codex kept, newest first. */
  openHistory(id: ConversationId): Promise<Transcript>;
  /** For looking through a conversation that is not open: changes nothing. Null when the file is not there. */
  readOnly(id: ConversationId, log: 'transcript' | 'history'): Promise<LogReader | null>;
  readMemory(id: ConversationId): Promise<TurnMemory | null>;
  writeMemory(id: ConversationId, memory: TurnMemory): Promise<void>;
  trash(id: ConversationId): Promise<void>;
  restore(id: ConversationId): Promise<ConversationMeta | null>;
  /** Whether a conversation in the trash has this thread. */
  isTrashed(threadId: string): Promise<boolean>;
  /** Ids whose day in the trash is over; they are gone from disk. */
  emptyTrash(olderThanMs: number): Promise<ConversationMeta[]>;
}

interface StoredConversation {
  readonly meta: ConversationMeta;
  readonly lastSeq: number;
  /** A turn was running, or an answer was awaited, when we last wrote. */
  readonly isUnsettled: boolean;
}

export function createConversationStore(options: {
  readonly home: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onStorage: (state: StorageState) => void;
}): ConversationStore {
  const root = join(options.home, 'conversations');
  const trashRoot = join(options.home, 'trash');
  const dirOf = (id: ConversationId) => join(root, ConversationId.parse(id));
  const metaPath = (dir: string) => join(dir, 'conversation_meta.json');
  const memoryPath = (id: ConversationId) => join(dirOf(id), 'turn_memory.json');

  const openLog = async (id: ConversationId, name: string): Promise<Transcript> => {
    await ensurePrivateDir(dirOf(id));
    const path = join(dirOf(id), name);
    const log = await openAppendLog({ path, clock: options.clock, onStorage: options.onStorage });
    if (log.skipped.count > 0) options.log.warn({ path, skipped: log.skipped }, 'damaged lines were skipped');
    const reader = createLogReader({ path, index: log.index });
    return { log, reader, close: async () => void (await Promise.all([log.close(), reader.close()])) };
  };

  const readMeta = async (dir: string): Promise<ConversationMeta | null> => {
    const text = await readFile(metaPath(dir), 'utf8').catch(() => null);
    if (text === null) return null;
    const parsed = ConversationMeta.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    options.log.warn({ dir, issues: parsed.error.issues.length }, 'a conversation cannot be read');
    return null;
  };

  const readMemory = async (id: ConversationId): Promise<TurnMemory | null> => {
    const kept = parseJson(await readFile(memoryPath(id), 'utf8').catch(() => ''));
    return isMemory(kept) ? kept : null;
  };

  const load = async (name: string): Promise<StoredConversation[]> => {
    if (!ConversationId.safeParse(name).success) return [];
    const meta = await readMeta(join(root, name));
    if (meta === null) return [];
    const memory = await readMemory(name);
    const isUnsettled = memory !== null && hasOpenEnds(memory);
    return [{ meta, lastSeq: await readLastSeq(join(root, name, 'transcript.jsonl')), isUnsettled }];
  };

  return {
    async loadAll() {
      await ensurePrivateDir(root);
      const names = await readdir(root);
      return (await Promise.all(names.map(load))).flat();
    },
    async saveMeta(meta) {
      try {
        await ensurePrivateDir(dirOf(meta.conversation_id));
        await writeFileAtomic(metaPath(dirOf(meta.conversation_id)), `${JSON.stringify(meta, null, 2)}\n`);
        return ok(null);
      } catch (error) {
        return storageFailure(error);
      }
    },
    openTranscript: (id) => openLog(id, 'transcript.jsonl'),
    openHistory: (id) => openLog(id, 'history.jsonl'),
    openMessageIds: (id) =>
      createIdFile({
        path: join(dirOf(id), 'message_ids'),
        rebuild: () => idsInTranscript(join(dirOf(id), 'transcript.jsonl')),
      }),
    async readOnly(id, log) {
      try {
        return await openLogReader({ path: join(dirOf(id), `${log}.jsonl`) });
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return null;
        throw error;
      }
    },
    readMemory,
    async writeMemory(id, memory) {
      if (!hasOpenEnds(memory)) await rm(memoryPath(id), { force: true });
      else await writeFileAtomic(memoryPath(id), `${JSON.stringify(memory)}\n`);
    },
    async trash(id) {
      await ensurePrivateDir(trashRoot);
      await rm(join(trashRoot, id), { recursive: true, force: true });
      await rename(dirOf(id), join(trashRoot, id));
    },
    async restore(id) {
      const from = join(trashRoot, ConversationId.parse(id));
      const meta = await readMeta(from);
      if (meta === null) return null;
      await mkdir(root, { recursive: true, mode: 0o700 });
      await rename(from, dirOf(id));
      return meta;
    },
    async isTrashed(threadId) {
      for (const name of await readdir(trashRoot).catch(() => []))
        if ((await readMeta(join(trashRoot, name)))?.thread_id === threadId) return true;
      return false;
    },
    async emptyTrash(olderThanMs) {
      const gone: ConversationMeta[] = [];
      for (const name of await readdir(trashRoot).catch(() => [])) {
        const dir = join(trashRoot, name);
        const { ctimeMs } = await stat(dir);
        if (ctimeMs > olderThanMs) continue;
        const meta = await readMeta(dir);
        await rm(dir, { recursive: true, force: true });
        if (meta !== null) gone.push(meta);
      }
      return gone;
    },
  };
}

export function storageFailure(error: unknown): Result<never> {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return fail('storage_full', 'the disk is full: nothing was changed; free some space and try again');
  }
  return fail('internal', `the file could not be written (${code})`);
}

/** Looked at no deeper than a torn or foreign file needs: only we write it. */
const isMemory = (value: unknown): value is TurnMemory => TurnMemoryFile.safeParse(value).success;

const hasOpenEnds = ({ turn_id, asks, outgoing = [] }: TurnMemory): boolean =>
  turn_id !== null || asks.length > 0 || outgoing.length > 0;

/** Read once, for a conversation of before there was a file of ids. */
async function idsInTranscript(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    const entry = line.includes('"client_message_id"') ? parseJson(line) : null;
    return isRecord(entry) && entry.role === 'user' && typeof entry.client_message_id === 'string'
      ? [entry.client_message_id]
      : [];
  });
}
