/** How often somebody may be wrong about a login link or a password: three at once, then two a minute, twelve an hour. */
import { type Bucket, type BucketLimits, takeToken } from '../core/events/bucket.ts';
import type { Clock } from '../node/clock.ts';

/** A person mistypes once or twice; a guesser needs 2^256 of them. */
const LIMITS: BucketLimits = { burst: 3, perSecond: 2 / 60 };
/** What a night of guessing is cut down to. */
const MAX_PER_HOUR = 12;
const HOUR_MS = 3_600_000;

export interface AttemptLimit {
  /** Counts one wrong attempt; false when it is one too many. */
  count(): boolean;
  /** Whether the next wrong attempt would be one too many. */
  isUsedUp(): boolean;
}

export function createAttemptLimit(clock: Clock): AttemptLimit {
  let bucket: Bucket | undefined;
  let counted: number[] = [];
  const look = () => {
    const now = clock.monotonicMs();
    counted = counted.filter((at) => now - at < HOUR_MS);
    const taken = takeToken(bucket, LIMITS, now);
    return { now, taken, isFree: taken.isTaken && counted.length < MAX_PER_HOUR };
  };
  return {
    count() {
      const { now, taken, isFree } = look();
      if (!isFree) return false;
      bucket = taken.bucket;
      counted.push(now);
      return true;
    },
    isUsedUp: () => !look().isFree,
  };
}
