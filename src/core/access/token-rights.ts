/** Which tokens a caller may make and end. Nobody gives rights it does not have. Pure. */
import type { AccessToken, TokenScope } from '../../contract/access.ts';
import type { Failure } from '../../contract/result.ts';
import type { Caller } from './caller.ts';

interface Wanted {
  readonly scopes: readonly TokenScope[];
  readonly conversation_id?: string | null | undefined;
}

export function refuseNewToken(caller: Caller, wanted: Wanted): Failure | null {
  return refuseWider(caller, wanted, 'a token makes none with more rights than it has');
}

export function refuseRevoking(caller: Caller, token: AccessToken): Failure | null {
  if (caller.kind === 'token' && caller.id === token.id) return null;
  return refuseWider(caller, token, 'a token ends none that has more rights: use the page');
}

function refuseWider(caller: Caller, { scopes, conversation_id }: Wanted, message: string): Failure | null {
  if (caller.kind === 'session') return null;
  if (caller.kind === 'anonymous') return { code: 'unauthorized', message: 'log in first, or send a token' };
  const missing = scopes.filter((scope) => !caller.scopes.includes(scope));
  const isElsewhere = caller.conversationId !== undefined && caller.conversationId !== conversation_id;
  if (missing.length === 0 && !isElsewhere) return null;
  const what = isElsewhere ? `this one is for ${caller.conversationId}` : `this one lacks ${missing.join(', ')}`;
  return {
    code: 'forbidden',
    message: `${message}; ${what}`,
    ...(missing[0] !== undefined && { details: { missing_scope: missing[0], scopes: caller.scopes } }),
  };
}
