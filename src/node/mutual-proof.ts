/**
 * Two processes that share a secret prove to each other that they know it, without sending it: each side answers the other side's nonce
 * with an HMAC. For the socket between the server and the pty host, where reaching the socket must not be enough.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The side that proves. Part of the HMAC, so that a proof cannot be sent back to the side that made it. */
type Side = 'server' | 'host';

export interface Nonces {
  readonly server: string;
  readonly host: string;
}

/** 256 bits: as long as the digest. */
const SECRET_BYTES = 32;
const NONCE_BYTES = 32;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('hex');
export const newNonce = (): string => randomBytes(NONCE_BYTES).toString('hex');

/** Null for a text that is not a secret `newSecret` made. */
export function parseSecret(text: string): Buffer | null {
  const hex = text.trim();
  return /^[0-9a-f]{64}$/.test(hex) ? Buffer.from(hex, 'hex') : null;
}

export function proofOf(secret: Buffer, side: Side, nonces: Nonces): string {
  return createHmac('sha256', secret).update(`${side}\n${nonces.server}\n${nonces.host}`).digest('hex');
}

/** Constant time, so that the time taken says nothing about the right proof. */
export function isProof(given: string, secret: Buffer, side: Side, nonces: Nonces): boolean {
  const wanted = Buffer.from(proofOf(secret, side, nonces));
  const shown = Buffer.from(given);
  return shown.length === wanted.length && timingSafeEqual(shown, wanted);
}
