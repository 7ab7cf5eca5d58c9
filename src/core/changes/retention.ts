/** Which checkpoints of a conversation are dropped. */
import type { Checkpoint } from '../../contract/changes.ts';
import { parseIsoTime } from '../text/iso-time.ts';

interface RetentionLimits {
  readonly maxAgeMs: number;
  readonly maxCheckpoints: number;
}

/** 90 days, and far more turns than a conversation has; each costs two refs and the changed files once. */
const RETENTION: RetentionLimits = { maxAgeMs: 90 * 24 * 3_600_000, maxCheckpoints: 500 };

/** The oldest first. A checkpoint without an end is of a running turn and stays, unless it is too old. */
export function expiredCheckpoints(
  checkpoints: readonly Checkpoint[],
  nowMs: number,
  { maxAgeMs, maxCheckpoints }: RetentionLimits = RETENTION,
): Checkpoint[] {
  const excess = checkpoints.length - maxCheckpoints;
  return checkpoints.filter((one, at) => nowMs - lastTimeOf(one) > maxAgeMs || (at < excess && one.after !== null));
}

/** A deleted conversation lies in the trash for a day and can come back. Afterwards nobody can ask for its checkpoints. */
const FORGOTTEN_MS = 2 * 24 * 3_600_000;

export function isForgotten(checkpoints: readonly Checkpoint[], isKnown: boolean, nowMs: number): boolean {
  const last = checkpoints.at(-1);
  return !isKnown && last !== undefined && nowMs - lastTimeOf(last) > FORGOTTEN_MS;
}

/** A time that cannot be read is that of a very old checkpoint. */
const lastTimeOf = ({ before, after }: Checkpoint): number => parseIsoTime((after ?? before).at) ?? 0;
