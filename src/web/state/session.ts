/**
 * The browser session as the page uses it: signs a challenge of the server, keeps the proof in memory only, sends it with every request
 * and WebSocket, and signs again when it ends, when the server was restarted, or when a connection was lost.
 */
import type { Failure, FailureBody, Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import type { WaitingLogin } from '../../contract/routes-session.ts';
import { authorizationOf, isDueForRenewal, socketProtocolsOf, textToSign } from '../../core/access/session-proof.ts';
import type { SessionKeyStore } from './session-key.ts';

export interface PageSession {
  /** `fetch` with the proof. Answers 401 by itself if nobody is logged in; rejects like `fetch` if the server cannot be reached. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /**
   * The protocols a WebSocket is opened with; null if there is no proof to be had now. After a lost connection the page proves itself
   * anew: the server may have been restarted, and if another program took its port, that program gets no proof that ever worked.
   */
  socketProtocols(hasLost: boolean): Promise<string[] | null>;
  /** Whether this browser has a session that the server knows. */
  isLoggedIn(): Promise<boolean>;
  /**
   * Redeems the token of a login link for a session with a fresh key. While another browser has to allow it, `onWaiting` gets what to show,
   * each time something about it has changed.
   */
  logIn(token: string, onWaiting: (waiting: WaitingLogin) => void): Promise<Result<null, LoginProblem>>;
  /** Forgets the key. The server has ended the session before. */
  forget(): Promise<void>;
}

/** `no_keys`: this browser cannot make or keep a key, so the link was not used. */
export type LoginProblem = { readonly kind: 'no_keys' } | { readonly kind: 'unreachable' } | LoginRefusal;
interface LoginRefusal {
  readonly kind: 'refused';
  readonly message: string;
  /** Of a login that waited: what became of it. */
  readonly reason: 'login_refused' | 'login_timed_out' | 'login_replaced' | null;
}

export interface SessionPorts {
  readonly origin: string;
  readonly store: SessionKeyStore;
  readonly crypto: SubtleCrypto | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => number;
  /** The user agent. */
  readonly browser: string;
  readonly sleep: (ms: number) => Promise<void>;
}

interface HeldProof {
  readonly proof: string;
  readonly grantedAt: number;
  readonly endsAt: number;
}

type Proving = { readonly kind: 'proven'; readonly proof: string } | { readonly kind: 'signed_out' };

type Arrival = RouteOutput<'logIn'>;
type OpenedSession = Exclude<Arrival, { waiting: unknown }>;

/** Between two tries to reach a server that did not answer a login that waits. */
const RETRY_MS = 1_000;
const ECDSA = { name: 'ECDSA', namedCurve: 'P-256' };
/** Several sockets lose their connection together and come back together: one new proof serves all of them. */
const FRESH_MS = 1_000;

export function createSession(ports: SessionPorts): PageSession {
  const { origin, store, crypto, now } = ports;
  let held: HeldProof | null = null;
  let proving: Promise<Proving> | null = null;

  function hold({ proof, expires_in_ms }: RouteOutput<'prove'>): string {
    held = { proof, grantedAt: now(), endsAt: now() + expires_in_ms };
    return proof;
  }

  /** Signs a challenge; one at a time for the whole page. */
  function prove(): Promise<Proving> {
    proving ??= proveNow().finally(() => {
      proving = null;
    });
    return proving;
  }

  async function proveNow(): Promise<Proving> {
    const session = await store.read().catch(() => null);
    if (session === null || crypto === undefined) return { kind: 'signed_out' };
    const session_id = session.id;
    const asked = await post<RouteOutput<'challenge'>>('/api/session/challenge', { session_id });
    if (!asked.ok) throw new TypeError(asked.error.message);
    const { challenge } = asked.value;
    const text = new TextEncoder().encode(textToSign({ origin, sessionId: session_id, challenge }));
    const signature = toBase64Url(await crypto.sign({ name: 'ECDSA', hash: 'SHA-256' }, session.key, text));
    const granted = await post<RouteOutput<'prove'>>('/api/session/proof', { session_id, challenge, signature });
    if (granted.ok) return { kind: 'proven', proof: hold(granted.value) };
    if (granted.error.code === 'unauthorized') return { kind: 'signed_out' };
    throw new TypeError(granted.error.message);
  }

  async function currentProof(): Promise<Proving> {
    if (held === null || isDueForRenewal(held.endsAt, now())) return prove();
    return { kind: 'proven', proof: held.proof };
  }

  async function post<T>(url: string, body: object): Promise<Result<T>> {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', credentials: 'omit', headers, body: JSON.stringify(body) } as const;
    const response = await ports.fetch(url, init);
    return response.ok
      ? { ok: true, value: await response.json() }
      : { ok: false, error: (await failureOf(response)) ?? { code: 'internal', message: `${response.status}` } };
  }

  /** Asks again and again until the login is allowed, refused or given up. A lost connection is no answer. */
  async function untilAllowed(
    first: Result<Arrival>,
    onWaiting: (waiting: WaitingLogin) => void,
  ): Promise<Result<OpenedSession>> {
    for (let last = first; ; ) {
      if (!last.ok) return last;
      if (!('waiting' in last.value)) return { ok: true, value: last.value };
      const { waiting } = last.value;
      onWaiting(waiting);
      const next = await post<Arrival>('/api/session/login/wait', { wait: waiting.wait }).catch(() => null);
      if (next === null) await ports.sleep(RETRY_MS);
      else last = next;
    }
  }

  async function send(url: string, init: RequestInit, proof: string): Promise<Response> {
    const headers = { ...init.headers, authorization: authorizationOf(proof) };
    // Cookies mean nothing to our server; pages of other ports may have set megabytes of them.
    return ports.fetch(url, { ...init, credentials: 'omit', headers });
  }

  return {
    async fetch(url, init) {
      const proven = await currentProof();
      if (proven.kind === 'signed_out') return signedOutResponse();
      const response = await send(url, init, proven.proof);
      if (response.status !== 401 || (await failureOf(response.clone()))?.code !== 'proof_expired') return response;
      if (held?.proof === proven.proof) held = null;
      const again = await currentProof();
      return again.kind === 'signed_out' ? signedOutResponse() : send(url, init, again.proof);
    },

    async socketProtocols(hasLost) {
      if (hasLost && held !== null && now() - held.grantedAt >= FRESH_MS) held = null;
      const proven = await currentProof().catch(() => null);
      return proven?.kind === 'proven' ? socketProtocolsOf(proven.proof) : null;
    },

    async isLoggedIn() {
      const proven = await currentProof().catch(() => null);
      return proven?.kind === 'proven';
    },

    async logIn(token, onWaiting) {
      const made = await makeKey(crypto, store).catch(() => null);
      if (made === null) return { ok: false, error: { kind: 'no_keys' } };
      const { key, public_key } = made;
      const { browser } = ports;
      const first = await post<Arrival>('/api/session/login', { token, public_key, browser }).catch(() => null);
      if (first === null) return { ok: false, error: { kind: 'unreachable' } };
      const answer = await untilAllowed(first, onWaiting);
      if (!answer.ok) return { ok: false, error: refusalOf(answer.error) };
      await store.write({ id: answer.value.session_id, key });
      hold(answer.value);
      return { ok: true, value: null };
    },

    async forget() {
      held = null;
      await store.remove().catch(() => undefined);
    },
  };
}

function refusalOf({ message, details }: Failure): LoginRefusal {
  const reason = WAIT_REASONS.find((one) => one === details?.reason) ?? null;
  return { kind: 'refused', message, reason };
}

const WAIT_REASONS = ['login_refused', 'login_timed_out', 'login_replaced'] as const;

/** Before the link is used up: rejects if the browser has no WebCrypto, or has no storage in this kind of window. */
async function makeKey(crypto: SubtleCrypto | undefined, store: SessionKeyStore) {
  if (crypto === undefined) throw new Error('no WebCrypto');
  const { privateKey, publicKey } = await crypto.generateKey(ECDSA, false, ['sign', 'verify']);
  await store.tryOut(privateKey);
  const { x, y } = await crypto.exportKey('jwk', publicKey);
  return { key: privateKey, public_key: { x, y } };
}

async function failureOf(response: Response): Promise<Failure | null> {
  try {
    const { code, message, details }: FailureBody = await response.json();
    return { code, message, ...(details !== undefined && { details }) };
  } catch {
    return null;
  }
}

function signedOutResponse(): Response {
  const body: FailureBody = { ok: false, code: 'unauthorized', message: 'This browser has no session.' };
  return new Response(JSON.stringify(body), { status: 401 });
}

function toBase64Url(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
