/** How often somebody may be wrong about a login link: three at once, then two a minute, twelve an hour. */
import type { Clock } from '../../node/clock.ts';

/** A person mistypes once or twice; a guesser needs 2^256 of them. */
const MAX_BURST = 3;
const MAX_PER_MINUTE = 2;
/** What a night of guessing is cut down to. */
const MAX_PER_HOUR = 12;
const HOUR_MS = 3_600_000;

export interface AttemptLimit {
  /** Counts one wrong attempt; false when it is one too many. */
  count(): boolean;
}

export function createAttemptLimit(clock: Clock): AttemptLimit {
  let allowance = MAX_BURST;
  let filledAt = clock.monotonicMs();
  let counted: number[] = [];
  return {
    count() {
      const now = clock.monotonicMs();
      allowance = Math.min(MAX_BURST, allowance + ((now - filledAt) / 60_000) * MAX_PER_MINUTE);
      filledAt = now;
      counted = counted.filter((at) => now - at < HOUR_MS);
      if (allowance < 1 || counted.length >= MAX_PER_HOUR) return false;
      allowance -= 1;
      counted.push(now);
      return true;
    },
  };
}
