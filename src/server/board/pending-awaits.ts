/** Conversations that wait for a message, on disk: `board/awaits.json`. Whoever waited when we were killed is told by an event instead. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type PendingAwait, PendingAwaits } from '../../contract/board.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import { readJson } from '../../node/read-json.ts';
import { createSerial } from '../../node/serial.ts';

export interface PendingAwaitFile {
  /** What an earlier server left. */
  readonly left: readonly PendingAwait[];
  drop(id: string): Promise<void>;
  /** Resolves when it is on disk, with how to take it off again. */
  add(pending: Omit<PendingAwait, 'id'>): Promise<() => Promise<void>>;
}

export async function openPendingAwaits(dir: string): Promise<PendingAwaitFile> {
  const path = join(dir, 'awaits.json');
  const left = await load(path);
  const open = new Map(left.map((one) => [one.id, one]));
  const saving = createSerial();
  const save = (): Promise<void> =>
    saving.run(() => writeFileAtomic(path, `${JSON.stringify({ awaits: [...open.values()] })}\n`));
  const remover = (id: string) => async () => {
    open.delete(id);
    // One that stays on disk is told once too often, and recognized by its number then.
    await save().catch(() => undefined);
  };
  return {
    left,
    drop: (id) => remover(id)(),
    async add(pending) {
      const id = randomUUID();
      open.set(id, { id, ...pending });
      await save().catch(() => undefined);
      return remover(id);
    },
  };
}

async function load(path: string): Promise<PendingAwait[]> {
  return (await readJson(path, PendingAwaits))?.awaits ?? [];
}
