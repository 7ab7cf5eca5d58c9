/** Messages as Codex 0.80.0 and 0.166.0 write them. */
import { expect, test } from 'vitest';
import { isNowhere, isOtherFile } from './resume-error.ts';

const ID = '01a1e6bd-c636-7210-9673-a9d5181087e6';

test.each([
  [
    `failed to load rollout \`/home/a/.codex/sessions/${ID}/events.sock\`: No such device or address (os error 6)`,
    true,
  ],
  ['failed to parse thread ID from rollout file', true],
  [`failed to load rollout \`/home/a/.codex/sessions/2026/01/02/rollout-1-${ID}.jsonl\`: permission denied`, false],
  [`no rollout found for thread id ${ID}`, false],
])('[CP4] a rollout that is none of the thread’s is told from one that cannot be read: %s', (message, isOther) => {
  expect(isOtherFile(message, ID)).toBe(isOther);
});

test('a thread without a turn is nowhere', () => {
  expect([isNowhere(`no rollout found for thread id ${ID}`), isNowhere('failed to load rollout')]).toEqual([
    true,
    false,
  ]);
});
