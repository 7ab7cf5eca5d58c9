/** The records of checkpoints, one file per conversation in `changes/`, and the journals of undos that have begun. */
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkpoint, CheckpointFile, Journal } from '../../contract/changes.ts';
import { ConversationId } from '../../contract/ids.ts';
import { ensurePrivateDir, writeFileAtomic } from '../../node/atomic-file.ts';
import { readJson } from '../../node/read-json.ts';
import { createKeyedSerial } from '../../node/serial.ts';

export interface CheckpointStore {
  /** The oldest first. */
  list(id: ConversationId): readonly Checkpoint[];
  conversations(): readonly ConversationId[];
  add(checkpoint: Omit<Checkpoint, 'id' | 'number'> & { readonly id?: string }): Promise<Checkpoint>;
  update(checkpoint: Checkpoint): Promise<void>;
  drop(id: ConversationId, checkpoints: readonly Checkpoint[]): Promise<void>;
  beginJournal(journal: Journal): Promise<void>;
  endJournal(journal: Journal): Promise<void>;
  journals(): Promise<readonly Journal[]>;
}

export const newCheckpointId = (): string => `chk_${randomBytes(8).toString('hex')}`;

const EMPTY: CheckpointFile = { next_number: 1, checkpoints: [] };

/** A record that cannot be read is treated as empty; its refs are still in the repository. */
export async function openCheckpointStore(
  folder: string,
  onStored: (id: ConversationId) => void = () => undefined,
): Promise<CheckpointStore> {
  const journalFolder = join(folder, 'journal');
  await ensurePrivateDir(journalFolder);
  const files = new Map<ConversationId, CheckpointFile>();
  for (const name of await readdir(folder)) {
    const id = ConversationId.safeParse(name.replace(/\.json$/, ''));
    const file = id.success && name.endsWith('.json') ? await readJson(join(folder, name), CheckpointFile) : null;
    if (id.success && file !== null) files.set(id.data, file);
  }
  const serial = createKeyedSerial<ConversationId>();
  const pathOf = (id: ConversationId) => join(folder, `${id}.json`);
  /** Stored first: what others read is on disk. */
  const change = (id: ConversationId, next: (file: CheckpointFile) => CheckpointFile): Promise<void> =>
    serial.run(id, async () => {
      const changed = next(files.get(id) ?? EMPTY);
      if (changed.checkpoints.length === 0 && changed.next_number === 1) await rm(pathOf(id), { force: true });
      else await writeFileAtomic(pathOf(id), `${JSON.stringify(changed)}\n`);
      files.set(id, changed);
      onStored(id);
    });
  const journalPath = ({ checkpoint }: Journal) => join(journalFolder, `${checkpoint.id}.json`);
  return {
    list: (id) => files.get(id)?.checkpoints ?? [],
    conversations: () => [...files.keys()],
    async add(given) {
      let added: Checkpoint | null = null;
      await change(given.conversation_id, ({ next_number, checkpoints }) => {
        added = { ...given, id: given.id ?? newCheckpointId(), number: next_number };
        return { next_number: next_number + 1, checkpoints: [...checkpoints, added] };
      });
      return added ?? Promise.reject(new Error('the checkpoint was not stored'));
    },
    update: (checkpoint) =>
      change(checkpoint.conversation_id, (file) => ({
        ...file,
        checkpoints: file.checkpoints.map((one) => (one.id === checkpoint.id ? checkpoint : one)),
      })),
    drop: (id, dropped) =>
      change(id, (file) => ({
        ...file,
        checkpoints: file.checkpoints.filter((one) => !dropped.some((other) => other.id === one.id)),
      })),
    beginJournal: (journal) => writeFileAtomic(journalPath(journal), `${JSON.stringify(journal)}\n`),
    endJournal: (journal) => rm(journalPath(journal), { force: true }),
    async journals() {
      const found: Journal[] = [];
      for (const name of await readdir(journalFolder)) {
        const journal = await readJson(join(journalFolder, name), Journal);
        if (journal !== null) found.push(journal);
      }
      return found;
    },
  };
}
