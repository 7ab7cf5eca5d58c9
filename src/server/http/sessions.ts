/**
 * Browser sessions: each has a key pair whose private half never leaves the storage of our origin in one browser. A signature of a
 * challenge gives a proof; proofs are in the memory of this process only, so none outlives a restart, and none works longer than its time.
 */
import { createHmac, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import { type Failure, fail, ok, type Result } from '../../contract/result.ts';
import type { PublicKey } from '../../contract/routes-session.ts';
import {
  isChallengeCurrent,
  PROOF_MS,
  parseChallenge,
  renderChallenge,
  textToSign,
} from '../../core/access/session-proof.ts';
import type { Clock } from '../../node/clock.ts';
import { createSerial } from '../../node/serial.ts';
import { hashOf } from './secret-hash.ts';
import { keyFrom, parseSessions, renderSessions, type Session } from './session-file.ts';

interface GrantedProof {
  readonly proof: string;
  readonly expires_in_ms: number;
}

export interface OpenedSession extends GrantedProof {
  readonly session_id: string;
}

export interface Sessions {
  /** A new session of this key, with its first proof. The caller has checked that the key may have one. */
  open(publicKey: PublicKey): Promise<Result<OpenedSession>>;
  /** Also for a session that does not exist, so that nobody learns which do. */
  challenge(sessionId: string): string;
  prove(input: {
    readonly session_id: string;
    readonly challenge: string;
    readonly signature: string;
  }): Result<GrantedProof>;
  /** The session a proof stands for; null once the proof or the session has ended. */
  sessionOf(proof: string): { readonly kind: 'session'; readonly id: string } | null;
  /** False once the session was ended or is too old. */
  isOpen(id: string): boolean;
  endSession(id: string): Promise<void>;
  /** Reports the ids of sessions that end; returns how to stop listening. */
  onSessionEnd(listener: (id: string) => void): () => void;
}

export interface SessionOptions {
  readonly clock: Clock;
  /** The one address a page proves itself at, as its browser writes it. */
  readonly origin: string;
  readonly random?: (bytes: number) => Buffer;
  /** What `save` was last given, before a restart. */
  readonly saved: string | null;
  readonly save: (text: string) => Promise<void>;
}

/** Long enough that a daily user never logs in again by chance, short enough that a forgotten browser is forgotten. */
const SESSION_MS = 30 * 24 * 3_600_000;
/** Browsers of one person; the oldest gives way. */
const MAX_SESSIONS = 50;
/** Proofs of one session: a tab has one, and a new one after each reload. Only the holder of the key can make more. */
const MAX_PROOFS = 200;

const NO_SESSION: Failure = {
  code: 'unauthorized',
  message: 'this browser has no session: open a login link of `signalbox open`',
};

interface Proof {
  readonly sessionId: string;
  readonly endsMs: number;
}

export function createSessions(options: SessionOptions): Sessions {
  const { clock, origin, save, random = randomBytes } = options;
  const newSecret = () => random(32).toString('base64url');
  /** Challenges are recognized by their MAC, so an unknown caller who asks for many of them takes no memory. */
  const challengeKey = random(32);
  /** Nonces of challenges that were signed and accepted, until they end by themselves; only the holder of a key adds to it. */
  const used = new Map<string, number>();
  /** By the hash of the secret; in the order they were given. */
  const proofs = new Map<string, Proof>();
  const listeners = new Set<(id: string) => void>();
  const saving = createSerial();
  let sessions = parseSessions(options.saved);

  const isFresh = (session: Session) => session.expiresAt > clock.now();
  const find = (id: string) => sessions.find((session) => session.id === id && isFresh(session));
  const macOf = (issuedMs: number, nonce: string, sessionId: string) =>
    createHmac('sha256', challengeKey).update(`${issuedMs}.${nonce}.${sessionId}`).digest('base64url');

  /** A disk that is full must not keep a person out. */
  function keep(): Promise<void> {
    const text = renderSessions(sessions);
    return saving.run(() => save(text)).catch(() => {});
  }

  function drop(isDropped: (session: Session) => boolean): void {
    const dropped = sessions.filter(isDropped);
    sessions = sessions.filter((session) => !dropped.includes(session));
    for (const { id } of dropped) {
      for (const [hash, proof] of proofs) if (proof.sessionId === id) proofs.delete(hash);
      for (const listener of listeners) listener(id);
    }
  }

  function grant(sessionId: string): GrantedProof {
    const nowMs = clock.monotonicMs();
    const own = [...proofs].filter(([, proof]) => proof.sessionId === sessionId && proof.endsMs > nowMs);
    for (const [hash] of own.slice(0, -(MAX_PROOFS - 1))) proofs.delete(hash);
    for (const [hash, { endsMs }] of proofs) if (endsMs <= nowMs) proofs.delete(hash);
    const proof = newSecret();
    proofs.set(hashOf(proof).toString('hex'), { sessionId, endsMs: nowMs + PROOF_MS });
    return { proof, expires_in_ms: PROOF_MS };
  }

  /** Whether this process issued the challenge for the session, a moment ago, and nobody used it yet. */
  function isOpenChallenge(text: string, sessionId: string): boolean {
    const challenge = parseChallenge(text);
    if (challenge === null || !isChallengeCurrent(challenge, clock.monotonicMs())) return false;
    if (used.has(challenge.nonce)) return false;
    const mac = Buffer.from(macOf(challenge.issuedMs, challenge.nonce, sessionId));
    return timingSafeEqual(mac, Buffer.from(challenge.mac));
  }

  function markUsed(text: string): void {
    const nowMs = clock.monotonicMs();
    for (const [nonce, issuedMs] of used) if (!isChallengeCurrent({ issuedMs }, nowMs)) used.delete(nonce);
    used.set(parseChallenge(text)?.nonce ?? '', nowMs);
  }

  return {
    async open(publicKey) {
      const key = keyFrom(publicKey);
      if (key === null) return fail('invalid_request', 'public_key is no point of the curve P-256');
      const now = clock.now();
      const id = random(8).toString('hex');
      sessions = [...sessions, { id, publicKey, key, createdAt: now, expiresAt: now + SESSION_MS }];
      const oldest = sessions.slice(0, -MAX_SESSIONS);
      drop((session) => !isFresh(session) || oldest.includes(session));
      await keep();
      return ok({ session_id: id, ...grant(id) });
    },

    challenge(sessionId) {
      const issuedMs = Math.floor(clock.monotonicMs());
      const nonce = newSecret();
      return renderChallenge({ issuedMs, nonce, mac: macOf(issuedMs, nonce, sessionId) });
    },

    prove({ session_id: sessionId, challenge, signature }) {
      const session = find(sessionId);
      if (session === undefined) return { ok: false, error: NO_SESSION };
      const signed = Buffer.from(textToSign({ origin, sessionId, challenge }));
      const key = { key: session.key, dsaEncoding: 'ieee-p1363' as const };
      if (
        !isOpenChallenge(challenge, sessionId) ||
        !verify('sha256', signed, key, Buffer.from(signature, 'base64url'))
      ) {
        return fail(
          'proof_expired',
          'the challenge is too old, was used already, or is not signed by the key of this session',
        );
      }
      markUsed(challenge);
      return ok(grant(sessionId));
    },

    sessionOf(proof) {
      const known = proofs.get(hashOf(proof).toString('hex'));
      if (known === undefined || known.endsMs <= clock.monotonicMs()) return null;
      return find(known.sessionId) === undefined ? null : { kind: 'session', id: known.sessionId };
    },

    isOpen: (id) => find(id) !== undefined,

    async endSession(id) {
      drop((session) => session.id === id);
      await keep();
    },

    onSessionEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
