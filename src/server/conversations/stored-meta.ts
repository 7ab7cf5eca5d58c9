/**
 * The sidecar of one open conversation: what the disk has, and the changes that are on their way there. Each change is a function, so that
 * one the disk refuses goes without those that came after it, and no later write brings it back.
 */
import type { ConversationMeta } from '../../contract/conversation.ts';
import type { Result } from '../../contract/result.ts';
import { createSerial } from '../../node/serial.ts';

export type MetaChange = (meta: ConversationMeta) => ConversationMeta;

export interface StoredMeta {
  /** With the changes that are being written. */
  current(): ConversationMeta;
  /** Shown at once, and taken back if it cannot be stored. */
  change(change: MetaChange): Promise<Result<null>>;
  /** Kept in memory; the next change stores it too. */
  note(change: MetaChange): void;
  idle(): Promise<void>;
}

interface StoredMetaOptions {
  readonly stored: ConversationMeta;
  readonly save: (meta: ConversationMeta) => Promise<Result<null>>;
  /** ISO time. */
  readonly now: () => string;
  readonly onStored: (before: ConversationMeta, after: ConversationMeta) => void;
}

export function createStoredMeta({ stored, save, now, onStored }: StoredMetaOptions): StoredMeta {
  /** One write at a time, so that the file is never older than what was promised. */
  const saves = createSerial();
  let onDisk = stored;
  /** `onDisk` with what was only noted. */
  let base = stored;
  let pending: readonly MetaChange[] = [];
  let current = stored;

  const settle = (change: MetaChange): void => {
    pending = pending.filter((one) => one !== change);
    current = pending.reduce((meta, one) => one(meta), base);
  };

  const write = async (change: MetaChange): Promise<Result<null>> => {
    const dated: MetaChange = (meta) => ({ ...change(meta), updated_at: at });
    const at = now();
    const written = dated(base);
    const outcome = await save(written);
    if (outcome.ok) base = dated(base);
    settle(change);
    if (!outcome.ok) return outcome;
    const before = onDisk;
    onDisk = written;
    onStored(before, written);
    return outcome;
  };

  return {
    current: () => current,
    change(given) {
      // A function of its own for each call: the same one may be given twice.
      const change: MetaChange = (meta) => given(meta);
      pending = [...pending, change];
      current = change(current);
      return saves.run(() => write(change));
    },
    note(change) {
      base = change(base);
      current = change(current);
    },
    idle: saves.idle,
  };
}
