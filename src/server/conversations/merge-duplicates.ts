/**
 * Conversations on disk that have the same thread become one at the start. The entries, the queue and the draft of a copy are added to the
 * owner; the folder of the copy is kept in `merged/`, where its id still leads to the owner. A kill on the way is repaired by the next start.
 */
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConversationMeta } from '../../contract/conversation.ts';
import { ConversationId } from '../../contract/ids.ts';
import { entriesToAdd, findDuplicates, mergeMetas } from '../../core/conversations/merge.ts';
import { ensurePrivateDir, writeFileAtomic } from '../../node/atomic-file.ts';
import type { Logger } from '../../node/logger.ts';
import { readJson } from '../../node/read-json.ts';
import { parseEntry } from './session.ts';
import type { ConversationStore } from './store.ts';

export interface MergeOptions {
  readonly home: string;
  readonly store: Pick<ConversationStore, 'saveMeta'>;
  readonly log: Logger;
}

/** What belongs to single messages and commands of a conversation, one file each. */
const FILES_OF_ENTRIES = ['context', join('agent_pty', 'blocks')];

/** True when something was merged: the conversations have to be read again. */
export async function mergeDuplicates(options: MergeOptions, metas: readonly ConversationMeta[]): Promise<boolean> {
  let isChanged = false;
  for (const { owner, copies } of findDuplicates(metas)) {
    let merged = owner;
    for (const copy of copies) {
      const ids = { owner: owner.conversation_id, copy: copy.conversation_id };
      try {
        merged = await mergeCopy(options, merged, copy);
        isChanged = true;
        options.log.warn(ids, 'two conversations had one thread: they are one now');
      } catch (error) {
        options.log.error({ ...ids, error }, 'two conversations have one thread and could not be merged');
      }
    }
  }
  return isChanged;
}

/** The thread of each conversation that was merged into another one. */
export async function readMerged(home: string): Promise<Map<ConversationId, string>> {
  const threads = new Map<ConversationId, string>();
  for (const name of await readdir(join(home, 'merged')).catch(() => [])) {
    const meta = await readJson(join(home, 'merged', name, 'conversation_meta.json'), ConversationMeta);
    if (meta !== null && meta.thread_id !== null) threads.set(meta.conversation_id, meta.thread_id);
  }
  return threads;
}

async function mergeCopy(
  { home, store }: MergeOptions,
  owner: ConversationMeta,
  copy: ConversationMeta,
): Promise<ConversationMeta> {
  const dirOf = (meta: ConversationMeta) => join(home, 'conversations', ConversationId.parse(meta.conversation_id));
  const [to, from] = [dirOf(owner), dirOf(copy)];
  const [text, entries] = await readEntries(join(to, 'transcript.jsonl'));
  const added = entriesToAdd(entries, (await readEntries(join(from, 'transcript.jsonl')))[1]);
  if (added.length > 0) {
    const last = entries.reduce((seq, entry) => Math.max(seq, entry.seq), 0);
    const lines = added.map((entry, at) => `${JSON.stringify({ ...entry, seq: last + at + 1 })}\n`);
    await writeFileAtomic(join(to, 'transcript.jsonl'), `${ended(text)}${lines.join('')}`);
    // Written anew from the transcript.
    for (const name of ['transcript.idx', 'message_ids']) await rm(join(to, name), { force: true });
  }
  for (const folder of FILES_OF_ENTRIES) await copyMissing(join(from, folder), join(to, folder));
  const merged = mergeMetas(owner, copy);
  const saved = await store.saveMeta(merged);
  if (!saved.ok) throw new Error(saved.error.message);
  await ensurePrivateDir(join(home, 'merged'));
  const kept = join(home, 'merged', copy.conversation_id);
  await rm(kept, { recursive: true, force: true });
  await rename(from, kept);
  return merged;
}

async function readEntries(path: string): Promise<[string, ReturnType<typeof parseEntry>]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return [text, text.split('\n').filter(Boolean).flatMap(parseEntry)];
}

/** A torn last line stays what it is: the mark keeps it from being taken for an entry. */
const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}!\n`);

async function copyMissing(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(() => []);
  if (names.length === 0) return;
  const there = new Set(await readdir(to).catch(() => []));
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of names) if (!there.has(name)) await copyFile(join(from, name), join(to, name));
}
