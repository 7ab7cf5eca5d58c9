/** Which checkpoints of a conversation are dropped. */
import type { Checkpoint } from '../../contract/changes.ts';
import { parseIsoTime } from '../text/iso-time.ts';

interface RetentionLimits {
  readonly maxAgeMs: number;
  readonly maxCheckpoints: number;
  /** Of the files that the checkpoints of one conversation have read into the repository, before git compresses them. */
  readonly maxBytes: number;
}

/**
 * 90 days, far more turns than a conversation has (each costs two refs and the changed files once), and as many bytes as a few large files
 * that change in every turn come to.
 */
const RETENTION: RetentionLimits = {
  maxAgeMs: 90 * 24 * 3_600_000,
  maxCheckpoints: 500,
  maxBytes: 4 * 1024 * 1024 * 1024,
};

/**
 * The oldest first. A checkpoint without an end is of a running turn and stays, unless it is too old. The newest stays whatever its size, so
 * that the last turn can be undone.
 */
export function expiredCheckpoints(
  checkpoints: readonly Checkpoint[],
  nowMs: number,
  { maxAgeMs, maxCheckpoints, maxBytes }: RetentionLimits = RETENTION,
): Checkpoint[] {
  const excess = Math.max(checkpoints.length - maxCheckpoints, countTooLarge(checkpoints, maxBytes));
  return checkpoints.filter((one, at) => nowMs - lastTimeOf(one) > maxAgeMs || (at < excess && one.after !== null));
}

/** How many of the oldest have to go, so that the others and the newest fit. */
function countTooLarge(checkpoints: readonly Checkpoint[], maxBytes: number): number {
  let bytes = 0;
  const fitting = checkpoints.toReversed().findIndex(({ before, after }) => {
    bytes += before.stored_bytes + (after?.stored_bytes ?? 0);
    return bytes > maxBytes;
  });
  return fitting < 0 ? 0 : checkpoints.length - Math.max(fitting, 1);
}

/** A deleted conversation lies in the trash for a day and can come back. Afterwards nobody can ask for its checkpoints. */
const FORGOTTEN_MS = 2 * 24 * 3_600_000;

export function isForgotten(checkpoints: readonly Checkpoint[], isKnown: boolean, nowMs: number): boolean {
  const last = checkpoints.at(-1);
  return !isKnown && last !== undefined && nowMs - lastTimeOf(last) > FORGOTTEN_MS;
}

/** A time that cannot be read is that of a very old checkpoint. */
const lastTimeOf = ({ before, after }: Checkpoint): number => parseIsoTime((after ?? before).at) ?? 0;
