/** A method of Codex that only reads, called for a client of ours. `core/codex/rpc-call.ts` decides which ones those are. */
import { ok, type Result } from '../../contract/result.ts';
import { withoutEnvelopes } from '../../core/context/carriers.ts';
import type { CodexLink } from './supervisor.ts';

export type CallCodex = (method: string, params: Record<string, unknown>) => Promise<Result<unknown>>;

export function createCallCodex(link: Pick<CodexLink, 'request'>): CallCodex {
  return async (method, params) => {
    const answer = await link.request(method, params);
    return answer.ok ? ok(withoutEnvelopes(answer.value)) : answer;
  };
}
