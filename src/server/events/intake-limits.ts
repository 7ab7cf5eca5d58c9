/** What all desks share: the pace of each credential, and how many bytes of events are kept in all. */
import type { EventHold, ExternalEventsConfig } from '../../contract/external-event.ts';
import { type Bucket, type BucketLimits, takeToken } from '../../core/events/bucket.ts';
import { holdOf } from '../../core/events/hold.ts';
import type { Clock } from '../../node/clock.ts';
import type { Principal } from './principal.ts';

export interface IntakeLimits {
  /** Whether one more event of this credential is taken. Counts it. */
  isWithinPace(principal: Principal, threadId: string): boolean;
  /** The ledger of this thread has so many bytes now; 0 when it is gone. */
  note(threadId: string, bytes: number): void;
  /** Why no more events are taken for a thread whose ledger has so many bytes; null while there is room. */
  holdOf(threadId: string, bytes: number): EventHold | null;
}

/** One source at its own limit leaves a fifth of the flow to the others that share its credential. */
const CREDENTIAL_SHARE = 1.25;
/** More than there are active threads, each with a token of its own. The credential that was quiet for longest is forgotten. */
const MAX_CREDENTIALS = 1_000;
const MIB = 1024 * 1024;

function keyOf(principal: Principal, threadId: string): string {
  if (principal.kind === 'adapter') return `adapter ${principal.name}`;
  return principal.kind === 'event_token' ? `event_token ${threadId}` : principal.kind;
}

export function createIntakeLimits(config: ExternalEventsConfig, clock: Clock): IntakeLimits {
  const limits: BucketLimits = {
    burst: Math.max(1, config.burst * CREDENTIAL_SHARE),
    perSecond: config.rate_per_second * CREDENTIAL_SHARE,
  };
  const caps = { maxBytes: config.max_ledger_mb * MIB, maxTotalBytes: config.max_total_ledger_mb * MIB };
  const buckets = new Map<string, Bucket>();
  const sizes = new Map<string, number>();
  let total = 0;

  return {
    isWithinPace(principal, threadId) {
      const key = keyOf(principal, threadId);
      const { bucket, isTaken } = takeToken(buckets.get(key), limits, clock.monotonicMs());
      // Moved to the end, so that the first key is the one that was quiet for longest.
      buckets.delete(key);
      if (buckets.size >= MAX_CREDENTIALS) buckets.delete(buckets.keys().next().value ?? '');
      buckets.set(key, bucket);
      return isTaken;
    },
    note(threadId, bytes) {
      total += bytes - (sizes.get(threadId) ?? 0);
      if (bytes === 0) sizes.delete(threadId);
      else sizes.set(threadId, bytes);
    },
    holdOf: (threadId, bytes) =>
      holdOf({ threadId, bytes, totalBytes: total - (sizes.get(threadId) ?? 0) + bytes, ...caps }),
  };
}
