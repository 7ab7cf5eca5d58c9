/** Conversations on disk: the sidecar, the transcript, the page cache of older history, and what a crash must not lose. */
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ConversationMeta, type DeletedRow } from '../../contract/conversation.ts';
import { ConversationId } from '../../contract/ids.ts';
import { ok, type Result } from '../../contract/result.ts';
import { TurnMemoryFile } from '../../contract/run-files.ts';
import type { TurnMemory } from '../../core/conversations/reconcile.ts';
import { rightsOf, withSafeRights } from '../../core/conversations/settings.ts';
import { isRecord } from '../../core/text/is-record.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import { type AppendLog, openAppendLog, type StorageState } from '../../node/append-log.ts';
import { ensurePrivateDir, errorCode, writeFileAtomic } from '../../node/atomic-file.ts';
import type { Clock } from '../../node/clock.ts';
import { createIdFile, type IdFile } from '../../node/id-file.ts';
import { readLastSeq } from '../../node/last-entry.ts';
import type { Logger } from '../../node/logger.ts';
import { createLogReader, type LogReader, openLogReader } from '../../node/read-log.ts';
import type { Seals } from '../../node/seals.ts';
import { storageFailure } from '../storage-failure.ts';

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
  restore(id: ConversationId): Promise<StoredMeta | null>;
  /** What is in the trash, the newest first. */
  listTrash(): Promise<readonly DeletedRow[]>;
  /** The threads of conversations in the trash. */
  trashedThreads(): Promise<ReadonlySet<string>>;
  /** Deletes conversations whose day in the trash is over. `release` is asked first; one that it refuses stays in the trash. */
  emptyTrash(olderThanMs: number, release: (meta: ConversationMeta) => Promise<boolean>): Promise<void>;
}

interface StoredMeta {
  readonly meta: ConversationMeta;
  /** The settings that decide what an agent may do were not written by this server: `meta` has the safe ones instead. */
  readonly isForged: boolean;
}

interface StoredConversation extends StoredMeta {
  readonly lastSeq: number;
  /** A turn was running, or an answer was awaited, when we last wrote. */
  readonly isUnsettled: boolean;
}

export function createConversationStore(options: {
  readonly home: string;
  readonly seals: Seals;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onStorage: (state: StorageState) => void;
}): ConversationStore {
  const root = join(options.home, 'conversations');
  const trashRoot = join(options.home, 'trash');
  const dirOf = (id: ConversationId) => join(root, ConversationId.parse(id));
  const metaPath = (dir: string) => join(dir, 'conversation_meta.json');
  const { parts } = options.seals;
  /** The rights that the sidecar of each conversation has on disk: only a change of them makes older sidecars void. */
  const sealed = new Map<ConversationId, string>();
  const memoryPath = (id: ConversationId) => join(dirOf(id), 'turn_memory.json');

  const openLog = async (id: ConversationId, name: string): Promise<Transcript> => {
    await ensurePrivateDir(dirOf(id));
    const path = join(dirOf(id), name);
    const log = await openAppendLog({ path, clock: options.clock, onStorage: options.onStorage });
    if (log.skipped.count > 0) options.log.warn({ path, skipped: log.skipped }, 'damaged lines were skipped');
    const reader = createLogReader({ path, index: log.index });
    return { log, reader, close: async () => void (await Promise.all([log.close(), reader.close()])) };
  };

  const readMeta = async (dir: string): Promise<StoredMeta | null> => {
    const text = await readFile(metaPath(dir), 'utf8').catch(() => null);
    if (text === null) return null;
    const value = parseJson(text);
    const parsed = ConversationMeta.safeParse(value);
    // A sidecar in the folder of another conversation would take that one's place.
    if (!parsed.success || parsed.data.conversation_id !== basename(dir)) {
      options.log.warn({ dir, issues: parsed.error?.issues.length }, 'a conversation cannot be read');
      return null;
    }
    const meta = parsed.data;
    const isForged = !parts.verify(sealName(meta), rightsOf(meta), isRecord(value) ? value.rights_seal : undefined);
    if (isForged) options.log.warn({ dir }, 'the settings of a conversation were changed by somebody else: not used');
    sealed.set(meta.conversation_id, JSON.stringify(rightsOf(meta)));
    return { meta: isForged ? withSafeRights(meta) : meta, isForged };
  };

  const readMemory = async (id: ConversationId): Promise<TurnMemory | null> => {
    const kept = parseJson(await readFile(memoryPath(id), 'utf8').catch(() => ''));
    return isMemory(kept) ? kept : null;
  };

  const load = async (name: string): Promise<StoredConversation[]> => {
    if (!ConversationId.safeParse(name).success) return [];
    const stored = await readMeta(join(root, name));
    if (stored === null) return [];
    const memory = await readMemory(name);
    const isUnsettled = memory !== null && hasOpenEnds(memory);
    return [{ ...stored, lastSeq: await readLastSeq(join(root, name, 'transcript.jsonl')), isUnsettled }];
  };

  const deletedRow = async (dir: string): Promise<DeletedRow | null> => {
    const [stored, folder] = await Promise.all([readMeta(dir), stat(dir).catch(() => null)]);
    if (stored === null || folder === null) return null;
    const { conversation_id: id, label, preview, cwd } = stored.meta;
    // The move into the trash is the last change of the folder itself.
    return { id, label, preview, cwd, deleted_at: folder.ctime.toISOString() };
  };

  return {
    async loadAll() {
      await ensurePrivateDir(root);
      const names = await readdir(root);
      // The settings of deleted conversations are adopted at the first start with seals too.
      for (const name of await readdir(trashRoot).catch(() => [])) await readMeta(join(trashRoot, name));
      return (await Promise.all(names.map(load))).flat();
    },
    async saveMeta(meta) {
      try {
        await ensurePrivateDir(dirOf(meta.conversation_id));
        const rights = JSON.stringify(rightsOf(meta));
        const before = sealed.get(meta.conversation_id);
        const { seal, settle } = parts.seal(sealName(meta), rightsOf(meta), before !== undefined && before !== rights);
        const text = JSON.stringify({ ...meta, rights_seal: seal }, null, 2);
        await writeFileAtomic(metaPath(dirOf(meta.conversation_id)), `${text}\n`);
        sealed.set(meta.conversation_id, rights);
        await settle();
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
      const stored = await readMeta(from);
      if (stored === null) return null;
      await mkdir(root, { recursive: true, mode: 0o700 });
      await rename(from, dirOf(id));
      return stored;
    },
    async listTrash() {
      const names = await readdir(trashRoot).catch(() => []);
      const rows = await Promise.all(names.map((name) => deletedRow(join(trashRoot, name))));
      return rows.filter((row) => row !== null).sort((one, other) => other.deleted_at.localeCompare(one.deleted_at));
    },
    async trashedThreads() {
      const names = await readdir(trashRoot).catch(() => []);
      const stored = await Promise.all(names.map((name) => readMeta(join(trashRoot, name))));
      return new Set(stored.flatMap((one) => one?.meta.thread_id ?? []));
    },
    async emptyTrash(olderThanMs, release) {
      for (const name of await readdir(trashRoot).catch(() => [])) {
        const dir = join(trashRoot, name);
        const { ctimeMs } = await stat(dir);
        if (ctimeMs > olderThanMs) continue;
        const stored = await readMeta(dir);
        if (stored !== null && !(await release(stored.meta))) continue;
        await rm(dir, { recursive: true, force: true });
        if (stored === null) continue;
        sealed.delete(stored.meta.conversation_id);
        parts.forget(sealName(stored.meta));
      }
    },
  };
}

/** The name a conversation's settings are sealed under. */
const sealName = ({ conversation_id }: ConversationMeta): string => `conversation ${conversation_id}`;

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
