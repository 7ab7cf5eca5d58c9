/** The one decision whether a caller may use a route or a socket. Pure; the HTTP edge asks before any handler runs. */
import type { AgentAccess, Scope, TokenScope } from '../../contract/access.ts';
import type { Failure } from '../../contract/result.ts';
import { refuseAgent } from './agent-rights.ts';
import type { Caller } from './caller.ts';

/** The id of the token in `run/server.json`. */
export const SERVER_TOKEN_ID = 'server';

/** Null: the caller may call it. `agents`: what the route or socket allows to commands of agents; nothing, unless it says so. */
export function refuseCall(caller: Caller, scope: Scope, agents?: AgentAccess): Failure | null {
  if (scope === 'public' || caller.kind === 'session') return null;
  const refusal = caller.kind === 'agent' ? refuseAgent(agents) : null;
  if (refusal !== null) return refusal;
  if (caller.kind === 'anonymous') return { code: 'unauthorized', message: 'log in first, or send a token' };
  if (scope === 'owner') {
    return { code: 'forbidden', message: 'only a person at the page may do this: no token may, whatever its scopes' };
  }
  if (caller.scopes.includes(scope)) return null;
  return {
    code: 'forbidden',
    message: `this token lacks the scope ${scope}: it has ${caller.scopes.join(', ') || 'none'}. ${remedyFor(caller.id, scope)}`,
    details: { missing_scope: scope, scopes: caller.scopes },
  };
}

function remedyFor(tokenId: string, scope: TokenScope): string {
  return tokenId === SERVER_TOKEN_ID
    ? `Add "${scope}" to server_token_scopes in [access] of config.toml and restart the server`
    : `Create another token with the scope ${scope}`;
}
