/**
 * How a browser session proves itself. Its private key lives in the storage of our origin, which no other port can read. The page signs
 * a challenge of the server with it and gets a proof: a secret of a few minutes that goes along with each request, never in a cookie.
 */

/** How long a proof works. A page that is used renews it unnoticed; a stolen one is worth this much time at most. */
export const PROOF_MS = 15 * 60_000;
/** A page renews a proof that ends within this time: longer than any request is under way before its headers are read. */
const RENEW_BEFORE_MS = 60_000;
/** From asking for a challenge to its signature: one round trip on this machine, through a tunnel a few seconds. */
const CHALLENGE_MS = 60_000;

/** 32 random bytes in base64url. */
const SECRET = '[A-Za-z0-9_-]{43}';
const PROOF_HEADER = new RegExp(`^Proof (${SECRET})$`, 'i');
const CHALLENGE = new RegExp(`^([0-9a-z]{1,12})\\.(${SECRET})\\.(${SECRET})$`);

/** The WebSocket protocol that the server chooses. A browser can put a secret into no other header of a WebSocket. */
export const SOCKET_PROTOCOL = 'signalbox';
const PROOF_PROTOCOL = new RegExp(`^signalbox\\.proof\\.(${SECRET})$`);

export function authorizationOf(proof: string): string {
  return `Proof ${proof}`;
}

export function socketProtocolsOf(proof: string): string[] {
  return [SOCKET_PROTOCOL, `signalbox.proof.${proof}`];
}

export interface ProofHeaders {
  readonly authorization?: string | undefined;
  /** `Sec-WebSocket-Protocol`. */
  readonly protocols?: string | undefined;
}

/** The proof that a request shows; null if it shows none, two, or anything that is not spelled as one. */
export function proofIn({ authorization, protocols }: ProofHeaders): string | null {
  if (authorization !== undefined) return PROOF_HEADER.exec(authorization)?.[1] ?? null;
  const shown = (protocols ?? '').split(',', MAX_PROTOCOLS + 1).map((one) => PROOF_PROTOCOL.exec(one.trim())?.[1]);
  const [proof, ...more] = shown.filter((one) => one !== undefined);
  return proof !== undefined && more.length === 0 && shown.length <= MAX_PROTOCOLS ? proof : null;
}

/** Ours are two; room for one that an extension adds. */
const MAX_PROTOCOLS = 3;

/**
 * What the key signs. The origin is in it, so that a server on another port or name cannot pass our challenge on to a page and use the
 * signature here; the first line keeps the signature from meaning anything else.
 */
export function textToSign(of: {
  readonly origin: string;
  readonly sessionId: string;
  readonly challenge: string;
}): string {
  return `signalbox session proof 1\n${of.origin}\n${of.sessionId}\n${of.challenge}`;
}

export interface Challenge {
  /** By the monotonic clock of the server process that issued it. */
  readonly issuedMs: number;
  readonly nonce: string;
  /** Of time, nonce and session, with a key that only this server process has. */
  readonly mac: string;
}

export function renderChallenge({ issuedMs, nonce, mac }: Challenge): string {
  return `${issuedMs.toString(36)}.${nonce}.${mac}`;
}

export function parseChallenge(text: string): Challenge | null {
  const [, issued, nonce, mac] = CHALLENGE.exec(text) ?? [];
  if (issued === undefined || nonce === undefined || mac === undefined) return null;
  return { issuedMs: Number.parseInt(issued, 36), nonce, mac };
}

export function isChallengeCurrent({ issuedMs }: Pick<Challenge, 'issuedMs'>, nowMs: number): boolean {
  return issuedMs <= nowMs && nowMs - issuedMs < CHALLENGE_MS;
}

/** Whether a page should sign again before it sends the next request. */
export function isDueForRenewal(endsMs: number, nowMs: number): boolean {
  return nowMs >= endsMs - RENEW_BEFORE_MS;
}
