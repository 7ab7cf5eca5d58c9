/** A browser session without a browser: makes a key, redeems a login link, signs challenges. For tests only. */
import type { webcrypto } from 'node:crypto';
import type { RouteOutput } from '../contract/routes.ts';
import { authorizationOf, textToSign } from '../core/access/session-proof.ts';

export interface SessionClient {
  /** Of a request or a WebSocket, with the last proof. */
  headers(): { readonly authorization: string };
  /** Signs a new challenge; also after the server was restarted, which may have another address then. */
  prove(origin?: string): Promise<void>;
  /** What a browser that shares this session has in its storage. */
  readonly stored: { readonly id: string; readonly jwk: object };
}

export const ECDSA = { name: 'ECDSA', namedCurve: 'P-256' };

export async function logInByLink(loginUrl: string): Promise<SessionClient> {
  const { origin, searchParams } = new URL(loginUrl);
  return logInByToken(origin, searchParams.get('token') ?? '');
}

export async function logInByToken(origin: string, token: string): Promise<SessionClient> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']);
  const { x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const granted: RouteOutput<'logIn'> = await post(`${origin}/api/session/login`, { token, public_key: { x, y } });
  if ('waiting' in granted) throw new Error('a browser is open: the login waits to be allowed there');
  const session_id = granted.session_id;
  let { proof } = granted;
  return {
    headers: () => ({ authorization: authorizationOf(proof) }),
    async prove(at = origin) {
      proof = await signProof(at, session_id, privateKey);
    },
    stored: { id: session_id, jwk: await crypto.subtle.exportKey('jwk', privateKey) },
  };
}

/** A proof of the session, signed with its key. Throws with the status if the server gives none. */
export async function signProof(origin: string, session_id: string, key: webcrypto.CryptoKey): Promise<string> {
  const { challenge } = await post<RouteOutput<'challenge'>>(`${origin}/api/session/challenge`, { session_id });
  const text = Buffer.from(textToSign({ origin, sessionId: session_id, challenge }));
  const signed = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, text);
  const signature = Buffer.from(signed).toString('base64url');
  const { proof } = await post<RouteOutput<'prove'>>(`${origin}/api/session/proof`, {
    session_id,
    challenge,
    signature,
  });
  return proof;
}

/** Of a session whose key nobody needs. */
export async function newPublicKey(): Promise<{ readonly x: string; readonly y: string }> {
  const { publicKey } = await crypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']);
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  return { x, y };
}

async function post<T>(url: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  const answer: T = JSON.parse(await response.text());
  return answer;
}
