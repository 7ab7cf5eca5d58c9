/** What a broker is told for each code of the server, and how long a retry waits. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../contract/result.ts';
import { brokerAnswerOf, retryDelayMs } from './answer-broker.ts';

const accepted = { ok: true, event_id: 'e', delivered: { thread_id: 't', mode: 'drop' } } as const;
const refused = (code: string) => ({ ok: false, code, message: 'why' }) as const;

describe('[AD5] what the broker is answered', () => {
  test('is done for what the server stored or had before, and for nothing else', () => {
    expect(brokerAnswerOf(accepted, 0)).toEqual({ kind: 'done', isDuplicate: false });
    expect(brokerAnswerOf({ ...accepted, duplicate: true }, 0)).toEqual({ kind: 'done', isDuplicate: true });
    const done = Object.keys(ERROR_CODES).filter((code) => brokerAnswerOf(refused(code), 0).kind === 'done');
    expect(done).toEqual(['duplicate_event']);
  });

  test('is a refusal only where sending it again does not help', () => {
    const kinds = Object.keys(ERROR_CODES).filter((code) => brokerAnswerOf(refused(code), 0).kind === 'refuse');
    expect(kinds.sort()).toEqual(['invalid_event', 'too_large', 'unknown_thread']);
    expect(brokerAnswerOf(refused('invalid_event'), 0)).toEqual({ kind: 'refuse', reason: 'invalid_event: why' });
  });

  test('is again for any other code, later each time, and at most a minute later', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (code, redelivered) => {
        const answer = brokerAnswerOf(refused(`later_${code}`), redelivered);
        if (answer.kind !== 'again') throw new Error(answer.kind);
        const before = brokerAnswerOf(refused('rate_limited'), Math.max(0, redelivered - 1));
        expect(answer.afterMs).toBeGreaterThanOrEqual(before.kind === 'again' ? before.afterMs : 0);
        expect(answer.afterMs).toBeLessThanOrEqual(60_000);
      }),
    );
  });
});

test('[AD11] a retry comes later each time, and a wrong credential is tried twice a minute', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
      const delay = retryDelayMs(attempt, false, random);
      expect(delay).toBeGreaterThan(180);
      expect(delay).toBeLessThan(19_000);
      expect(retryDelayMs(attempt, true, random)).toBe(30_000);
    }),
  );
  expect(retryDelayMs(3, false, 0.5)).toBe(2_000);
});
