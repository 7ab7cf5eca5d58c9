/** What counts as a proof and as a challenge, and for how long. */
import { describe, expect, test } from 'vitest';
import {
  authorizationOf,
  isChallengeCurrent,
  isDueForRenewal,
  PROOF_MS,
  parseChallenge,
  proofIn,
  renderChallenge,
  socketProtocolsOf,
  textToSign,
} from './session-proof.ts';

const PROOF = 'a'.repeat(42).concat('_');
const OTHER = 'b'.repeat(43);

describe('the proof of a request', () => {
  test('[HT5] is read from the Authorization header, and from the protocols of a WebSocket', () => {
    expect(proofIn({ authorization: authorizationOf(PROOF) })).toBe(PROOF);
    expect(proofIn({ protocols: socketProtocolsOf(PROOF).join(', ') })).toBe(PROOF);
  });

  test.each([
    [{}],
    [{ authorization: '' }],
    [{ authorization: PROOF }],
    [{ authorization: `Bearer ${PROOF}` }],
    [{ authorization: `Proof ${PROOF}a` }],
    [{ authorization: `Proof  ${PROOF}` }],
    [{ authorization: `Proof ${PROOF}, Proof ${OTHER}` }],
    [{ authorization: 'Bearer x', protocols: `signalbox.proof.${PROOF}` }],
    [{ protocols: '' }],
    [{ protocols: `signalbox.proof.${PROOF}x` }],
    [{ protocols: `signalbox.proof.${PROOF}, signalbox.proof.${OTHER}` }],
    [{ protocols: `${'x,'.repeat(50)}signalbox.proof.${PROOF}` }],
    [{ protocols: `signalbox.proof.${PROOF}${',x'.repeat(1_000_000)}` }],
  ])('[HT12] is nothing else: %#', (headers) => {
    expect(proofIn(headers)).toBeNull();
  });
});

test('[HT12] a challenge is read back as it was written, and nothing else is one', () => {
  const challenge = { issuedMs: 123_456, nonce: PROOF, mac: OTHER };
  const text = renderChallenge(challenge);
  expect(parseChallenge(text)).toEqual(challenge);
  for (const odd of ['', 'x', `${text}.`, `${text} `, text.slice(1, -1), `-1.${PROOF}.${OTHER}`, 'x'.repeat(1_000_000)])
    expect(parseChallenge(odd)).toBeNull();
});

test('[HT12] a challenge ends after a minute and does not come from the future', () => {
  const at = (nowMs: number) => isChallengeCurrent({ issuedMs: 1_000 }, nowMs);
  expect([at(999), at(1_000), at(60_999), at(61_000)]).toEqual([false, true, true, false]);
});

test('[HT12] a page renews its proof a minute before the end', () => {
  expect(isDueForRenewal(PROOF_MS, PROOF_MS - 60_001)).toBe(false);
  expect(isDueForRenewal(PROOF_MS, PROOF_MS - 60_000)).toBe(true);
});

test('[HT12] what is signed names origin, session and challenge, each on a line of its own', () => {
  const of = { origin: 'http://127.0.0.1:1', sessionId: 's', challenge: 'c' };
  expect(textToSign(of).split('\n').slice(1)).toEqual(['http://127.0.0.1:1', 's', 'c']);
});
