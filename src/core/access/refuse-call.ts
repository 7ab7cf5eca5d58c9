/** The one decision whether a caller may use a route or a socket. Pure; the HTTP edge asks before any handler runs. */
import type { Scope, TokenScope } from '../../contract/access.ts';
import type { Failure } from '../../contract/result.ts';

/** Who asks, by credential. `anonymous` reaches public routes only. */
export type Caller =
  /** A person at a browser that is logged in. */
  | { readonly kind: 'session'; readonly id: string }
  /** A program that shows a token. */
  | {
      readonly kind: 'token';
      readonly id: string;
      readonly scopes: readonly TokenScope[];
      /** Present: the token is for this conversation only; `confined.ts` decides. */
      readonly conversationId?: string;
    }
  | { readonly kind: 'anonymous' };

/** The id of the token in `run/server.json`. */
export const SERVER_TOKEN_ID = 'server';

/** Null: the caller may call it. */
export function refuseCall(caller: Caller, scope: Scope): Failure | null {
  if (scope === 'public' || caller.kind === 'session') return null;
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
