/** `POST /rpc`: which Codex methods a client may call by itself. Those that only read; everything that acts has a route of its own. */
import { fail, ok, type Result } from '../../contract/result.ts';
import { withoutEnvelopes } from '../../core/context/carriers.ts';
import type { CodexLink } from './supervisor.ts';

const ALLOWED = new Set([
  'account/rateLimits/read',
  'account/read',
  'collaborationMode/list',
  'config/read',
  'mcpServerStatus/list',
  'model/list',
  'skills/list',
  'thread/backgroundTerminals/list',
  'thread/items/list',
  'thread/list',
  'thread/loaded/list',
  'thread/read',
  'thread/search',
  'thread/turns/list',
]);

/** Methods with a route of their own, so that the refusal can say where to go. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'turn/start': 'POST /api/appserver/messages',
  'turn/steer': 'POST /api/appserver/messages with mode "steer"',
  'turn/interrupt': 'POST /api/appserver/interrupt',
  'thread/start': 'POST /api/appserver/conversations',
  'thread/resume': 'GET /api/appserver/conversations/{id}',
  'thread/compact/start': 'POST /api/appserver/compact',
  'thread/shellCommand': 'POST /api/appserver/shell/exec',
};

export type CallCodex = (method: string, params: Record<string, unknown>) => Promise<Result<unknown>>;

export function createCallCodex(link: Pick<CodexLink, 'request'>): CallCodex {
  return async (method, params) => {
    if (ALLOWED.has(method)) {
      const answer = await link.request(method, params);
      return answer.ok ? ok(withoutEnvelopes(answer.value)) : answer;
    }
    const route = ELSEWHERE[method];
    const hint = route === undefined ? `allowed are: ${[...ALLOWED].join(', ')}` : `use ${route}`;
    return fail('forbidden', `${method} cannot be called here: ${hint}`);
  };
}
