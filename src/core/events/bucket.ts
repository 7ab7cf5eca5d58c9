/** How much of one source is taken at once: a burst, then a steady flow. Pure; the caller brings the clock. */

export interface Bucket {
  readonly tokens: number;
  /** Monotonic, so that a jump of the wall clock gives nobody anything. */
  readonly atMs: number;
}

export interface BucketLimits {
  readonly burst: number;
  readonly perSecond: number;
}

export function takeToken(
  bucket: Bucket | undefined,
  limits: BucketLimits,
  nowMs: number,
): { readonly bucket: Bucket; readonly isTaken: boolean } {
  const before = bucket ?? { tokens: limits.burst, atMs: nowMs };
  const refilled = Math.min(limits.burst, before.tokens + ((nowMs - before.atMs) / 1000) * limits.perSecond);
  const isTaken = refilled >= 1;
  return { bucket: { tokens: isTaken ? refilled - 1 : refilled, atMs: nowMs }, isTaken };
}
