/** Nobody gives rights it does not have. */
import { expect, test } from 'vitest';
import { TOKEN_SCOPES, type TokenScope } from '../../contract/access.ts';
import type { Caller } from './caller.ts';
import { refuseNewToken, refuseRevoking } from './token-rights.ts';

const subsets: TokenScope[][] = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
  TOKEN_SCOPES.filter((_scope, at) => (bits & (1 << at)) !== 0),
);

test('[AT7] of all sets of scopes, a token makes exactly the subsets of its own', () => {
  for (const own of subsets) {
    const caller: Caller = { kind: 'token', id: 'tok_1', scopes: own };
    for (const scopes of subsets) {
      const isSubset = scopes.every((scope) => own.includes(scope));
      expect([own, scopes, refuseNewToken(caller, { scopes }) === null]).toEqual([own, scopes, isSubset]);
    }
  }
});

test('[AT7] a session makes any, nobody makes none, a token for a conversation makes none for others', () => {
  expect(refuseNewToken({ kind: 'session', id: 's' }, { scopes: TOKEN_SCOPES })).toBe(null);
  expect(refuseNewToken({ kind: 'anonymous' }, { scopes: [] })?.code).toBe('unauthorized');
  const bound: Caller = { kind: 'token', id: 'tok_1', scopes: TOKEN_SCOPES, conversationId: 'conv_a' };
  expect(refuseNewToken(bound, { scopes: ['read'] })?.code).toBe('forbidden');
  expect(refuseNewToken(bound, { scopes: ['read'], conversation_id: 'conv_b' })?.code).toBe('forbidden');
  expect(refuseNewToken(bound, { scopes: ['read'], conversation_id: 'conv_a' })).toBe(null);
});

test('[AT7] a token ends itself, and others only when they have no more rights', () => {
  const caller: Caller = { kind: 'token', id: 'tok_000000000001', scopes: ['read'] };
  const token = (id: string, scopes: TokenScope[]) => ({
    id,
    label: '',
    scopes,
    conversation_id: null,
    created_at: '',
    last_used_at: null,
    expires_at: null,
  });
  expect(refuseRevoking(caller, token('tok_000000000002', ['read']))).toBe(null);
  expect(refuseRevoking(caller, token('tok_000000000002', ['read', 'run']))?.code).toBe('forbidden');
  expect(refuseRevoking({ ...caller, scopes: [] }, token('tok_000000000001', ['read', 'run']))).toBe(null);
});
