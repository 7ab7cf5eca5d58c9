/** Routes of browser sessions: a login link becomes a session with a key, and the key proves the session. */
import { z } from 'zod';
import { Confirm } from './access.ts';
import { Ok, type RouteDef } from './route.ts';

const Base64Url = z.string().regex(/^[A-Za-z0-9_-]+$/, 'expected base64url');

/** The two coordinates of an ECDSA P-256 key, as in a JSON Web Key. */
export const PublicKey = z.object({ x: Base64Url.length(43), y: Base64Url.length(43) });
export type PublicKey = z.infer<typeof PublicKey>;

const SessionId = z.string().regex(/^[0-9a-f]{16}$/, 'expected the id of a session');

/** Sent as `Authorization: Proof …`, on a WebSocket as the protocol `signalbox.proof.…`. */
const GrantedProof = z.object({ proof: z.string(), expires_in_ms: z.number().int() });

const OpenedSession = GrantedProof.extend({ session_id: SessionId });

/** A login that has to be allowed in a browser that is open. */
const WaitingLogin = z.object({
  waiting: z.object({
    /** A secret of the browser that waits. */
    wait: z.string(),
    /** Shown in both browsers, for the person to compare. */
    code: z.string(),
    expires_in_ms: z.number().int(),
    /** False: no browser is open any more, so nobody can answer there. */
    is_answerable: z.boolean(),
    /** Set once it was allowed at a terminal: it gets in after this time, unless the open browser refuses. */
    opens_in_ms: z.number().int().nullable(),
  }),
});
export type WaitingLogin = z.infer<typeof WaitingLogin>['waiting'];

/** A waiting login as an open browser shows it. */
export const LoginRequest = z.object({
  id: z.string(),
  code: z.string(),
  /** What the browser says of itself, in words of ours. */
  browser: z.string(),
  /** Who asked for its link. */
  made_by: z.enum(['terminal', 'program', 'server']),
  expires_in_ms: z.number().int(),
  opens_in_ms: z.number().int().nullable(),
});
export type LoginRequest = z.infer<typeof LoginRequest>;

/** Everybody may send these, so their bodies are small. */
const maxBodyBytes = 4 * 1024;

export const SESSION_ROUTES = {
  session: {
    method: 'GET',
    path: '/api/session',
    scope: 'read',
    agents: 'any',
    summary: 'Who the caller is and what it may do',
    output: z.object({
      credential: z.enum(['session', 'api_token', 'agent']),
      may: z.array(z.string()),
      /** Of a token: `server` for the one of run/server.json. */
      token_id: z.string().optional(),
      /** Of a token for one conversation. */
      conversation_id: z.string().optional(),
    }),
    errors: [],
  },
  logIn: {
    method: 'POST',
    path: '/api/session/login',
    scope: 'public',
    summary:
      'Turns the token of a login link and a public key into a browser session; waits for a yes if a browser is open',
    body: z.object({
      token: z.string().min(1).max(256),
      public_key: PublicKey,
      /** The user agent; it is shown to whoever has to allow the login. */
      browser: z.string().max(1024).optional(),
    }),
    output: z.union([OpenedSession, WaitingLogin]),
    errors: [],
    maxBodyBytes,
  },
  awaitLogin: {
    method: 'POST',
    path: '/api/session/login/wait',
    scope: 'public',
    summary: 'The session of a login that was allowed in an open browser; still waiting after 20 seconds',
    body: z.object({ wait: Base64Url.length(43) }),
    output: z.union([OpenedSession, WaitingLogin]),
    errors: ['forbidden', 'stale'],
    maxBodyBytes,
  },
  listLogins: {
    method: 'GET',
    path: '/api/session/logins',
    scope: 'owner',
    summary: 'New browsers that wait to be let in',
    output: z.object({ logins: z.array(LoginRequest) }),
    errors: [],
  },
  answerLogin: {
    method: 'POST',
    path: '/api/session/logins/{login_id}',
    scope: 'owner',
    summary: 'Lets a new browser in, or refuses it',
    params: z.object({ login_id: z.string().regex(/^[0-9a-f]{16}$/) }),
    body: z.object({ answer: z.enum(['allow', 'refuse']), confirm: Confirm.optional() }),
    output: Ok,
    errors: ['not_found', 'confirmation_required'],
  },
  challenge: {
    method: 'POST',
    path: '/api/session/challenge',
    scope: 'public',
    summary: 'A text to sign with the key of a session, good for one minute and for one signature',
    body: z.object({ session_id: SessionId }),
    output: z.object({ challenge: z.string() }),
    errors: [],
    maxBodyBytes,
  },
  prove: {
    method: 'POST',
    path: '/api/session/proof',
    scope: 'public',
    summary: 'Takes the signature of a challenge and gives a proof, which requests carry until it ends',
    body: z.object({
      session_id: SessionId,
      challenge: z.string().max(128),
      /** ECDSA with SHA-256, the two numbers of 32 bytes one after the other. */
      signature: Base64Url.length(86),
    }),
    output: GrantedProof,
    errors: [],
    maxBodyBytes,
  },
  logout: {
    method: 'POST',
    path: '/api/logout',
    scope: 'owner',
    summary: 'Ends this browser session',
    output: Ok,
    errors: [],
  },
} as const satisfies Record<string, RouteDef>;
