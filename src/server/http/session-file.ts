/** `run/sessions.json`: the browser sessions with their public keys, so that they outlive a restart. Nothing in it opens anything. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { PublicKey } from '../../contract/routes-session.ts';

export interface Session {
  readonly id: string;
  readonly publicKey: PublicKey;
  readonly key: KeyObject;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Null if the numbers are no point of the curve. */
export function keyFrom({ x, y }: PublicKey): KeyObject | null {
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    return null;
  }
}

export function renderSessions(sessions: readonly Session[]): string {
  const records = sessions.map(({ id, publicKey, createdAt, expiresAt }) => ({
    id,
    public_key: publicKey,
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
  }));
  return `${JSON.stringify({ sessions: records })}\n`;
}

/** A damaged file, or one of a version whose sessions had no key, costs a new login and nothing else. */
export function parseSessions(text: string | null): Session[] {
  try {
    const { sessions } = JSON.parse(text ?? '{"sessions":[]}');
    return sessions.flatMap(decodeSession);
  } catch {
    return [];
  }
}

function decodeSession(record: Record<string, unknown>): Session[] {
  const { id, public_key, created_at, expires_at } = record;
  const publicKey = PublicKey.safeParse(public_key);
  const key = publicKey.success ? keyFrom(publicKey.data) : null;
  const createdAt = Date.parse(String(created_at));
  const expiresAt = Date.parse(String(expires_at));
  if (typeof id !== 'string' || !publicKey.success || key === null) return [];
  if (Number.isNaN(createdAt) || Number.isNaN(expiresAt)) return [];
  return [{ id, publicKey: publicKey.data, key, createdAt, expiresAt }];
}
