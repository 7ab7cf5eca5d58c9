/** What a person is told of a Codex that fails, and what is kept from them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeEndOf, describeGivenUp, describeRetry, describeSilence, readableLines } from './describe-trouble.ts';

test('[CX45] text that Codex printed stays, without colors, control and invisible characters', () => {
  expect(readableLines(['\x1b[31merror:\x1b[0m no such file', 'schön – 漢字', ''])).toEqual([
    'error: no such file',
    'schön – 漢字',
  ]);
});

test('[CX45] data that is not text is named and not shown', () => {
  const garbage = Buffer.from([0, 255, 254, 1, 2, 200, 201, 3]).toString('utf8');
  expect(readableLines([garbage, 'panic: out of memory', garbage])).toEqual([
    'panic: out of memory',
    '(it printed data that is not text)',
  ]);
});

test('[CX45] whatever bytes Codex prints, the words for a person hold no control character and are bounded', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 2_000 }), { maxLength: 5 }), (chunks) => {
      const text = describeEndOf(
        'exit 1',
        chunks.map((bytes) => Buffer.from(bytes).toString('utf8')),
      );
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffd]/);
      expect(text.length).toBeLessThan(5 * 310 + 100);
    }),
  );
});

test('[CX46] the words say what happened, how often it was tried and what to do', () => {
  const tries = { count: 2, limit: 5, wasReady: false, why: 'exit 1. Its last output: no such model' };
  expect(describeRetry(tries, 1_000)).toBe(
    'Codex did not start: exit 1. Its last output: no such model. Attempt 2 of 5; the next one in 1 s.',
  );
  expect(describeGivenUp({ ...tries, count: 5 })).toMatch(
    /did not start in 5 attempts.*no such model.*signalbox doctor/,
  );
  expect(describeGivenUp({ ...tries, count: 5, wasReady: true })).toMatch(/stopped 5 times within a minute/);
  expect(describeSilence(7, 'thread/start', 15_000)).toMatch(/process 7.*thread\/start.*15 s.*restart it/);
});
