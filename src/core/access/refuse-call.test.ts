/** Which caller may use which scope. */
import { expect, test } from 'vitest';
import { type Scope, TOKEN_SCOPES } from '../../contract/access.ts';
import { type Caller, refuseCall, SERVER_TOKEN_ID } from './refuse-call.ts';

const SCOPES: readonly Scope[] = ['public', ...TOKEN_SCOPES, 'owner'];
const token = (...scopes: readonly (typeof TOKEN_SCOPES)[number][]): Caller => ({ kind: 'token', id: 'tok_1', scopes });

test.each<[string, Caller, readonly Scope[]]>([
  ['a session', { kind: 'session', id: 's' }, SCOPES],
  ['nobody', { kind: 'anonymous' }, ['public']],
  ['a token without scopes', token(), ['public']],
  ['a token that reads', token('read'), ['public', 'read']],
  ['a token that operates', token('operate'), ['public', 'operate']],
  ['a token that runs', token('run'), ['public', 'run']],
  ['a token with every scope', token(...TOKEN_SCOPES), ['public', ...TOKEN_SCOPES]],
])('[AT1] %s may use exactly the scopes it has, and no token is an owner', (_who, caller, may) => {
  expect(SCOPES.filter((scope) => refuseCall(caller, scope) === null)).toEqual(may);
});

test('[AT1] a refusal for scope names the missing scope and what to do', () => {
  expect(refuseCall(token('read'), 'run')).toMatchObject({
    code: 'forbidden',
    message: expect.stringMatching(/lacks the scope run: it has read\. Create another token/),
    details: { missing_scope: 'run', scopes: ['read'] },
  });
  expect(refuseCall({ kind: 'token', id: SERVER_TOKEN_ID, scopes: [] }, 'read')?.message).toMatch(
    /it has none\. Add "read" to server_token_scopes in \[access\] of config\.toml/,
  );
});
