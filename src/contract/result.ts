/** Expected failures are values. One union of codes; each code has one HTTP status and one exit code. */

export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Machine-readable details, never a secret: what was expected, which field, what to do next. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** code → [HTTP status, exit code of the command line]. */
export const ERROR_CODES = {
  invalid_request: [400, 2],
  missing_cwd: [400, 2],
  invalid_event: [400, 6],
  unauthorized: [401, 4],
  /** A browser session's proof has ended: the page signs a new challenge and asks again. */
  proof_expired: [401, 4],
  forbidden: [403, 4],
  /** Only with a second, fresh confirmation by a person; `details` say of what. */
  confirmation_required: [428, 4],
  not_found: [404, 1],
  unknown_conversation: [404, 5],
  unknown_thread: [404, 5],
  unknown_approval: [404, 1],
  method_not_allowed: [405, 1],
  conflict: [409, 1],
  stale: [409, 1],
  already_answered: [409, 1],
  no_active_turn: [409, 1],
  /** The turn that runs is a review or a compaction. */
  not_steerable: [409, 1],
  /** Another Codex process writes to the thread. */
  thread_in_use: [409, 1],
  /** Codex cannot read its record of a thread that had turns; the conversation can go on in a new thread. */
  thread_unreadable: [409, 1],
  /** The thread was made with a model provider other than the one Codex now runs with. */
  provider_mismatch: [409, 1],
  turned_off: [409, 1],
  duplicate_event: [409, 7],
  too_large: [413, 2],
  unsupported_media_type: [415, 2],
  rate_limited: [429, 8],
  headers_too_large: [431, 2],
  internal: [500, 1],
  codex_error: [502, 1],
  /** The running Codex is too old, or too new, to have the method. */
  unknown_method: [502, 1],
  codex_unavailable: [503, 3],
  codex_timeout: [504, 1],
  /** A process that the request needs runs and does not answer; the message names it and says what to do. */
  no_answer: [504, 1],
  storage_full: [507, 1],
  /** The disk refuses writes for another reason than that it is full. */
  storage_failed: [507, 1],
  not_running: [503, 3],
  home_locked: [409, 75],
} as const satisfies Record<string, readonly [number, number]>;

export type ErrorCode = keyof typeof ERROR_CODES;

export const httpStatusOf = (code: ErrorCode): number => ERROR_CODES[code][0];
export const exitCodeOf = (code: ErrorCode): number => ERROR_CODES[code][1];

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });

export function fail(code: ErrorCode, message: string, details?: Record<string, unknown>): Result<never> {
  return { ok: false, error: details === undefined ? { code, message } : { code, message, details } };
}

/** What every refused request answers with. */
export interface FailureBody {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}
