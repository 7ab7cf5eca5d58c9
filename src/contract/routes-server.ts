/** Routes about the server, its link to Codex and what new conversations start with. */
import { z } from 'zod';
import { Confirm } from './access.ts';
import { Model, Preferences, PreferencesPatch } from './conversation.ts';
import { PageSettings, PageSettingsPatch } from './page-settings.ts';
import { base, integerQuery, Ok, type RouteDef } from './route.ts';
import { RPC_BODY_BYTES, RpcInput } from './rpc.ts';
import { CodexStatus } from './ui-event.ts';

/** The Codex that is started, and the shell it last ran in; null before its first start. */
const codexShell = { app_server_command: z.string(), shell_id: z.string().nullable() };

/** What new conversations start with, how the page looks, and what the server runs. `thread_id`: of the conversation the caller selected. */
const ConfigView = Preferences.extend({ ...codexShell, thread_id: z.string().nullable(), page: PageSettings });

const ServerStatus = z.object({
  running: z.boolean(),
  codex: CodexStatus,
  /** What this Codex process warned of that belongs to no conversation, in its words; the newest last. */
  codex_warnings: z.array(z.string()).readonly(),
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
  ...codexShell,
});

/** Visible ASCII without spaces; Codex itself would store anything. */
const ApiKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{8,512}$/, 'expected an API key: 8-512 letters, digits and signs without spaces');

/** How much of the account's limits is used, as Codex last told with an answer of the model. */
const AccountLimits = z.object({
  windows: z.array(
    z.object({
      used_percent: z.number(),
      window_minutes: z.number().nullable(),
      resets_at_ms: z.number().nullable(),
    }),
  ),
  /** Codex's word for the limit that was reached. */
  reached: z.string().nullable(),
});
export type AccountLimits = z.infer<typeof AccountLimits>;

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
  /** Null while Codex has told of none. */
  limits: AccountLimits.nullable(),
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
  configSchema: {
    method: 'GET',
    path: '/api/config.schema.json',
    scope: 'read',
    agents: 'any',
    summary: 'config.toml as JSON Schema',
    output: z.record(z.string(), z.unknown()),
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
    summary:
      'Calls one of the allowed Codex methods with the settings the server owns, or answers an open request by its approval_id',
    body: RpcInput,
    output: z.object({ id: z.union([z.string(), z.number(), z.null()]), result: z.unknown() }),
    errors: [
      'unknown_conversation',
      'unknown_approval',
      'already_answered',
      'confirmation_required',
      'stale',
      'no_active_turn',
      'missing_cwd',
      'thread_unreadable',
      'too_large',
      'storage_full',
      'codex_error',
      'codex_timeout',
      'codex_unavailable',
    ],
    maxBodyBytes: RPC_BODY_BYTES,
  },
  readConfig: {
    method: 'GET',
    path: `${base}/config`,
    scope: 'read',
    summary: 'What new conversations start with, how the page looks, and which Codex runs',
    output: ConfigView,
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
  writePage: {
    method: 'POST',
    path: `${base}/page`,
    scope: 'owner',
    summary: 'Changes look, keys and notices of the page, in every browser',
    body: PageSettingsPatch,
    output: PageSettings,
    errors: ['storage_full'],
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
