/** Which caller may use which scope. */
import { expect, test } from 'vitest';
import { type Scope, TOKEN_SCOPES } from '../../contract/access.ts';
import type { ConversationId } from '../../contract/ids.ts';
import { callerAt, refuseForeign } from './agent-rights.ts';
import type { Caller } from './caller.ts';
import { refuseCall, SERVER_TOKEN_ID } from './refuse-call.ts';

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

const OWN: ConversationId = 'conv_00000000000000000000000000000001';
const OTHER: ConversationId = 'conv_00000000000000000000000000000002';
const agent = (...scopes: readonly (typeof TOKEN_SCOPES)[number][]): Extract<Caller, { kind: 'agent' }> => ({
  kind: 'agent',
  conversationId: OWN,
  id: SERVER_TOKEN_ID,
  scopes,
});

test('[AG3] a command of an agent may use only what is open to agents, within the scopes of its token', () => {
  const caller = agent(...TOKEN_SCOPES);
  for (const scope of [...TOKEN_SCOPES, 'owner'] as const) {
    expect(refuseCall(caller, scope)).toMatchObject({ code: 'forbidden', details: { reason: 'agent' } });
  }
  expect(refuseCall(caller, 'read', 'own')).toBeNull();
  expect(refuseCall(caller, 'operate', 'any')).toBeNull();
  expect(refuseCall(caller, 'owner', 'any')).toMatchObject({ code: 'forbidden' });
  expect(refuseCall(agent('read'), 'operate', 'any')).toMatchObject({ details: { missing_scope: 'operate' } });
});

test('[AG3] what is open for the own conversation needs its name in the input', () => {
  const caller = agent(...TOKEN_SCOPES);
  expect(refuseForeign(caller, 'own', [OWN])).toBeNull();
  expect(refuseForeign(caller, 'any', [OTHER])).toBeNull();
  for (const named of [[], [OTHER], [null], [OWN, OTHER], [OWN, null]]) {
    expect(refuseForeign(caller, 'own', named)).toMatchObject({ code: 'forbidden' });
  }
  expect(refuseForeign({ ...caller, conversationId: null }, 'own', [null])).toMatchObject({ code: 'forbidden' });
});

test('[AG3] a token is only as good as the process that shows it; a session is not looked at', () => {
  const shown = token('read');
  for (const kind of ['person', 'unknown', 'shell'] as const) expect(callerAt(shown, { kind })).toBe(shown);
  const made = { kind: 'agent', id: 'tok_1', scopes: ['read'] };
  expect(callerAt(shown, { kind: 'agent', conversationId: OWN })).toEqual({ ...made, conversationId: OWN });
  expect(callerAt(shown, { kind: 'codex' })).toEqual({ ...made, conversationId: null });
  const session: Caller = { kind: 'session', id: 's' };
  expect(callerAt(session, { kind: 'agent', conversationId: OWN })).toBe(session);
});
