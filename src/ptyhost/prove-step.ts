/** The first two requests of a connection to the pty host, by which both sides prove the secret. */
import type { HostRequest } from '../contract/pty-host.ts';
import { isProof, type Nonces, newNonce, proofOf } from '../node/mutual-proof.ts';

/** stranger: nothing was proved. challenged: both nonces are known. proved: the client knows the secret. */
export type Standing =
  | { readonly at: 'stranger' }
  | { readonly at: 'challenged'; readonly nonces: Nonces }
  | { readonly at: 'proved' };

export const STRANGER: Standing = { at: 'stranger' };

interface Step {
  readonly standing: Standing;
  readonly answer: unknown;
}

/** Null for a client that proves nothing: its connection is closed without an answer. */
export function proveStep(standing: Standing, request: HostRequest, secret: Buffer): Step | null {
  if (standing.at === 'stranger' && request.do === 'challenge') {
    const nonces = { server: request.nonce, host: newNonce() };
    return {
      standing: { at: 'challenged', nonces },
      answer: { nonce: nonces.host, proof: proofOf(secret, 'host', nonces) },
    };
  }
  if (standing.at !== 'challenged' || request.do !== 'enter') return null;
  return isProof(request.proof, secret, 'server', standing.nonces)
    ? { standing: { at: 'proved' }, answer: null }
    : null;
}
