/** One request to Codex with a checked method name, and its answer read or its refusal given a code of ours. */
import type { CodexClientRequests } from '../../contract/generated/codex-protocol.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { type RefusalCode, readRefusal } from '../../core/codex/refusal.ts';
import type { RequestOptions } from './connection.ts';
import type { CodexLink } from './supervisor.ts';

export type Requester = Pick<CodexLink, 'request' | 'dialect'>;

interface AskOptions extends RequestOptions {
  /** The refusals the caller tells apart, the first that fits. */
  readonly refusals?: readonly RefusalCode[];
}

type Ask = (
  method: keyof CodexClientRequests,
  params: Record<string, unknown>,
  options?: AskOptions,
) => Promise<Result<unknown>>;

export function createAsk(link: Requester): Ask {
  return async (method, params, { refusals = [], ...options } = {}) => {
    const answer = await link.request(method, params, options);
    return answer.ok ? answer : { ok: false, error: readRefusal(answer.error, refusals) };
  };
}

/** For an answer that says nothing but yes. */
export const done = (answer: Result<unknown>): Result<null> => (answer.ok ? ok(null) : answer);

export function readAnswer<T>(
  method: keyof CodexClientRequests,
  answer: Result<unknown>,
  read: (value: unknown) => T | null,
): Result<T> {
  if (!answer.ok) return answer;
  const value = read(answer.value);
  return value === null ? fail('codex_error', `Codex gave an unreadable answer to ${method}`) : ok(value);
}
