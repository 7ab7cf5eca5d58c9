/** Secrets are compared by their SHA-256 digests in constant time, so neither memory dumps nor timing give one away. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Ours have 43 characters; longer input is not worth hashing. */
const MAX_SECRET_CHARS = 256;

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The element whose hash is that of the secret. Compares with every element, so that the time taken reveals nothing. */
export function pickBySecret<T>(all: readonly T[], secret: string, hashIn: (one: T) => Buffer): T | undefined {
  if (secret === '' || secret.length > MAX_SECRET_CHARS) return undefined;
  const hash = hashOf(secret);
  return all.filter((one) => timingSafeEqual(hashIn(one), hash))[0];
}
