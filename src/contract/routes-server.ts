/** Routes about the server, its link to Codex and what new conversations start with. */
import { z } from 'zod';
import { Confirm } from './access.ts';
import { Model, Preferences, PreferencesPatch } from './conversation.ts';
import { ConversationId } from './ids.ts';
import { base, integerQuery, Ok, type RouteDef } from './route.ts';
import { CodexStatus } from './ui-event.ts';

const ServerStatus = z.object({
  running: z.boolean(),
  codex: CodexStatus,
  storage: z.enum(['ok', 'full', 'failed']),
  version: z.string(),
  home: z.string(),
  codex_home: z.string(),
  /** Where a conversation starts when nobody says where. */
  cwd: z.string(),
  pid: z.number().int(),
  uptime_ms: z.number(),
  clients: z.number().int(),
  conversations_loaded: z.number().int(),
  pending_approvals: z.number().int(),
});

/** Visible ASCII without spaces; Codex itself would store anything. */
const ApiKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{8,512}$/, 'expected an API key: 8-512 letters, digits and signs without spaces');

export const AccountState = z.object({
  /** Codex has a login of its own. */
  signed_in: z.boolean(),
  /** The demo model answers. */
  demo: z.boolean(),
  /** What Codex says of it, in its words; null while the demo model answers. */
  account: z.unknown(),
  /** The last login that was begun here. */
  login: z
    .object({
      login_id: z.string().nullable(),
      type: z.enum(['chatgpt_device', 'api_key']),
      state: z.enum(['waiting', 'completed', 'failed', 'cancelled']),
      verification_url: z.string().nullable(),
      user_code: z.string().nullable(),
      /** Why it failed, in Codex's words. */
      reason: z.string().nullable(),
    })
    .nullable(),
  /** Codex will be started again for the new account as soon as no turn runs. */
  restart_pending: z.boolean(),
});
export type AccountState = z.infer<typeof AccountState>;

export const SERVER_ROUTES = {
  health: {
    method: 'GET',
    path: '/healthz',
    scope: 'public',
    summary: 'Whether the process answers',
    output: z.object({ ok: z.literal(true), version: z.string() }),
    errors: [],
  },
  openapi: {
    method: 'GET',
    path: '/api/openapi.json',
    scope: 'read',
    agents: 'any',
    summary: 'This document',
    output: z.record(z.string(), z.unknown()),
    errors: [],
  },
  start: {
    method: 'POST',
    path: `${base}/start`,
    scope: 'operate',
    summary: 'Starts Codex if it does not run, and clears a tripped breaker',
    output: z.object({ codex: CodexStatus }),
    errors: ['codex_unavailable'],
  },
  stop: {
    method: 'POST',
    path: `${base}/stop`,
    scope: 'operate',
    summary: 'Stops Codex; running turns are interrupted',
    output: z.object({ codex: CodexStatus }),
    errors: [],
  },
  status: {
    method: 'GET',
    path: `${base}/status`,
    scope: 'read',
    agents: 'any',
    summary: 'What runs',
    output: ServerStatus,
    errors: [],
  },
  initialize: {
    method: 'POST',
    path: `${base}/initialize`,
    scope: 'operate',
    summary: 'Waits until Codex has answered initialize (which the server sends by itself)',
    output: z.object({ codex: CodexStatus }),
    errors: ['codex_unavailable'],
  },
  rpc: {
    method: 'POST',
    path: `${base}/rpc`,
    scope: 'operate',
    summary: 'Calls one of the allowed Codex methods; the server fills in the settings it owns',
    body: z.object({
      conversation_id: ConversationId.optional(),
      id: z.union([z.string().max(100), z.number()]).optional(),
      method: z.string().max(100),
      params: z.record(z.string(), z.unknown()).optional(),
    }),
    output: z.object({ id: z.union([z.string(), z.number(), z.null()]), result: z.unknown() }),
    errors: ['unknown_conversation', 'stale', 'codex_error', 'codex_timeout', 'codex_unavailable'],
  },
  readConfig: {
    method: 'GET',
    path: `${base}/config`,
    scope: 'read',
    summary: 'What new conversations start with',
    output: Preferences,
    errors: [],
  },
  writeConfig: {
    method: 'POST',
    path: `${base}/config`,
    scope: 'operate',
    summary: 'Changes what new conversations start with',
    body: PreferencesPatch.extend({ confirm: Confirm.optional() }),
    output: Preferences,
    errors: ['missing_cwd', 'storage_full', 'confirmation_required'],
  },
  setCwd: {
    method: 'POST',
    path: `${base}/cwd`,
    scope: 'operate',
    summary: 'Changes the directory new conversations start in',
    body: z.object({ cwd: z.string().min(1).max(4096) }),
    output: Preferences,
    errors: ['missing_cwd', 'storage_full'],
  },
  models: {
    method: 'GET',
    path: `${base}/models`,
    scope: 'read',
    summary: "Codex's models with the efforts each supports; cached for five minutes",
    output: z.object({ models: z.array(Model) }),
    errors: ['codex_unavailable', 'codex_error', 'codex_timeout'],
  },
  account: {
    method: 'GET',
    path: `${base}/account`,
    scope: 'read',
    summary: 'Whether Codex is signed in, or the demo model answers',
    output: AccountState,
    errors: [],
  },
  accountLogin: {
    method: 'POST',
    path: `${base}/account/login`,
    scope: 'owner',
    summary: 'Signs Codex in: with an API key at once, with ChatGPT by a code that is typed in on another page',
    body: z.discriminatedUnion('type', [
      z.object({ type: z.literal('chatgpt_device') }),
      z.object({ type: z.literal('api_key'), api_key: ApiKey }),
    ]),
    output: z.object({
      /** Null when there is nothing to wait for. */
      login_id: z.string().nullable(),
      verification_url: z.string().optional(),
      user_code: z.string().optional(),
    }),
    errors: ['codex_unavailable', 'codex_error', 'codex_timeout'],
  },
  accountLoginCancel: {
    method: 'POST',
    path: `${base}/account/login/cancel`,
    scope: 'owner',
    summary: 'Gives up a login that waits for its code',
    body: z.object({ login_id: z.string().min(1).max(100) }),
    output: Ok,
    errors: ['not_found', 'codex_unavailable', 'codex_error', 'codex_timeout'],
  },
  accountLogout: {
    method: 'POST',
    path: `${base}/account/logout`,
    scope: 'owner',
    summary: 'Signs Codex out, for every program that uses this CODEX_HOME',
    output: Ok,
    errors: ['codex_unavailable', 'codex_error', 'codex_timeout'],
  },
  debugRaw: {
    method: 'GET',
    path: `${base}/debug/raw`,
    scope: 'owner',
    summary: 'The last raw lines to and from Codex; debug mode only',
    query: z.object({ limit: integerQuery.min(1).max(1000).default(100) }),
    output: z.object({ lines: z.array(z.object({ at: z.string(), dir: z.enum(['in', 'out']), line: z.string() })) }),
    errors: ['conflict'],
  },
  debugState: {
    method: 'GET',
    path: `${base}/debug/state`,
    scope: 'owner',
    summary: 'Counters and the state of each loaded conversation',
    output: z.record(z.string(), z.unknown()),
    errors: [],
  },
  debugToggle: {
    method: 'POST',
    path: `${base}/debug/toggle`,
    scope: 'owner',
    summary: 'Turns debug mode on or off',
    body: z.object({ enabled: z.boolean() }),
    output: z.object({ enabled: z.boolean() }),
    errors: [],
  },
} as const satisfies Record<string, RouteDef>;
