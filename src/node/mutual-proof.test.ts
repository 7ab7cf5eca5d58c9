/** The proof by which the server and the pty host know each other. */
import { expect, test } from 'vitest';
import { isProof, newNonce, newSecret, parseSecret, proofOf } from './mutual-proof.ts';

const secretOf = (text: string): Buffer => {
  const secret = parseSecret(text);
  if (secret === null) throw new Error('not a secret');
  return secret;
};

test('a proof holds for its secret, its side and its nonces only', () => {
  const secret = secretOf(newSecret());
  const nonces = { server: newNonce(), host: newNonce() };
  const proof = proofOf(secret, 'host', nonces);
  expect(isProof(proof, secret, 'host', nonces)).toBe(true);
  expect(isProof(proof, secret, 'server', nonces)).toBe(false);
  expect(isProof(proof, secretOf(newSecret()), 'host', nonces)).toBe(false);
  expect(isProof(proof, secret, 'host', { ...nonces, server: newNonce() })).toBe(false);
  expect(isProof(proof, secret, 'host', { server: nonces.host, host: nonces.server })).toBe(false);
  for (const odd of ['', proof.slice(1), `${proof}0`, 'é'.repeat(32)])
    expect(isProof(odd, secret, 'host', nonces)).toBe(false);
});

test('a damaged secret is none', () => {
  for (const text of ['', 'abc', 'g'.repeat(64), `${'a'.repeat(63)}`]) expect(parseSecret(text)).toBeNull();
  expect(parseSecret(`${'a'.repeat(64)}\n`)?.length).toBe(32);
});
