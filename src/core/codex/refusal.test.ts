/** Messages as Codex 0.80.0 and 0.166.0 write them, and the codes they become. */
import { expect, test } from 'vitest';
import type { Failure } from '../../contract/result.ts';
import {
  isAlreadyMoved,
  isOtherFile,
  isRefusal,
  isUnknownLogin,
  isWrongType,
  type RefusalCode,
  readRefusal,
  runningTurnIn,
} from './refusal.ts';

const ID = '01a1e6bd-c636-7210-9673-a9d5181087e6';
const ALL: readonly RefusalCode[] = [
  'no_active_turn',
  'unknown_method',
  'unknown_thread',
  'thread_in_use',
  'provider_mismatch',
];
const said = (message: string, details?: Record<string, unknown>): Failure => ({
  code: 'codex_error',
  message,
  ...(details !== undefined && { details }),
});

test.each([
  [
    `failed to load rollout \`/home/a/.codex/sessions/${ID}/events.sock\`: No such device or address (os error 6)`,
    true,
  ],
  ['failed to parse thread ID from rollout file', true],
  [`failed to load rollout \`/home/a/.codex/sessions/2026/01/02/rollout-1-${ID}.jsonl\`: permission denied`, false],
  [`no rollout found for thread id ${ID}`, false],
])('[CP4] a rollout that is none of the thread’s is told from one that cannot be read: %s', (message, isOther) => {
  expect(isOtherFile(said(message), ID)).toBe(isOther);
});

test.each([
  ['Invalid request: unknown variant `turn/steer`, expected one of `initialize`', 'unknown_method'],
  [`no rollout found for thread id ${ID}`, 'unknown_thread'],
  ['failed to load rollout', 'codex_error'],
])('%s has the code %s, and its message and details stay', (message, code) => {
  const failure = said(message, { rpc_code: -32_600 });
  expect(readRefusal(failure, ALL)).toEqual({ ...failure, code });
});

test('[CX53] a turn whose start Codex has not stored cannot be reverted, in words that say what to do', () => {
  const failure = said(`turn ${ID} does not have a persisted start boundary`, { rpc_code: -32_600 });
  expect(readRefusal(failure, ['stale', 'conflict'])).toEqual({
    code: 'conflict',
    message: 'Codex has not stored where this turn began: revert to before an earlier turn, or go on',
  });
});

test('a thread that another process has open is told so', () => {
  expect(readRefusal(said(`thread ${ID} already has an active writer`), ALL)).toEqual({
    code: 'thread_in_use',
    message: 'another Codex process has this thread open: close it there first; reading works',
  });
});

test('a thread of another model provider is told by its data', () => {
  const data = { type: 'modelProviderMismatch', modelProvider: 'openai', currentModelProvider: 'local' };
  expect(readRefusal(said('whatever', { data }), ALL)).toEqual({
    code: 'provider_mismatch',
    message:
      'this thread belongs to the model provider openai; Codex now runs with local. Sign in or configure openai to go on with it; reading works.',
  });
});

test('only the refusals a caller asks for are told apart, and only refusals', () => {
  const failure = said('no active turn');
  expect(readRefusal(failure, ['unknown_method'])).toBe(failure);
  const late: Failure = { code: 'codex_timeout', message: 'no active turn' };
  expect(readRefusal(late, ALL)).toBe(late);
});

test('a refusal is an answer; silence is none', () => {
  expect([...ALL, 'codex_error' as const].every(isRefusal)).toBe(true);
  expect((['codex_timeout', 'codex_unavailable', 'too_large'] as const).some(isRefusal)).toBe(false);
});

test.each([
  [`no rollout found for thread id ${ID}`, true],
  [`thread not found: ${ID}`, true],
  ['thread is already archived', true],
  ['permission denied', false],
])('%s means that there is nothing to move: %s', (message, isMoved) => {
  expect(isAlreadyMoved(said(message))).toBe(isMoved);
  expect(isAlreadyMoved({ code: 'codex_unavailable', message })).toBe(false);
});

test('a parameter of the wrong type is told from one that Codex does not know, and an unknown login from others', () => {
  expect(isWrongType(said('Invalid request: invalid type: integer `0`, expected a map'))).toBe(true);
  expect(isWrongType(said(`thread not found: ${ID}`))).toBe(false);
  expect([isUnknownLogin(said('invalid login id: x')), isUnknownLogin(said('no network'))]).toEqual([true, false]);
});

test.each([
  ['no active turn to steer', 'no_active_turn'],
  ['cannot steer a review turn', 'not_steerable'],
  ['ActiveTurnNotSteerable { turn_kind: Compact }', 'not_steerable'],
  [`thread not found: ${ID}`, 'stale'],
  [`turn not found: ${ID}`, 'stale'],
  [`session ${ID} is archived. Run \`codex unarchive ${ID}\` to unarchive it first.`, 'stale'],
  [`expected active turn id \`${ID}\` but found \`${ID}\``, 'no_active_turn'],
] as const)('[CX53] what a race makes Codex say becomes a code and words that say what to do: %s', (message, code) => {
  const read = readRefusal(said(message), ['not_steerable', 'no_active_turn', 'stale']);
  expect(read.code).toBe(code);
  expect(read.message).toMatch(/: (wait|reload|send)/);
});

test('[CX51] the turn that runs is read from the refusal of a request that named another one', () => {
  expect(runningTurnIn(said(`expected active turn id \`abc\` but found \`${ID}\``))).toBe(ID);
  expect(runningTurnIn(said(`expected active turn id abc but found ${ID}`))).toBe(ID);
  expect(runningTurnIn(said('no active turn to interrupt'))).toBeNull();
});

test('[CX53] a thread that is not in the archive needs not be taken out of it', () => {
  expect(isAlreadyMoved(said(`no archived rollout found for thread id ${ID}`))).toBe(true);
});
