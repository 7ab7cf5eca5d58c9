/** Codex's answers as records of ours. */
import { expect, test } from 'vitest';
import {
  readLoaded,
  readResumed,
  readStarted,
  readSteeredId,
  readThread,
  readThreads,
  readTurnId,
  readTurns,
} from './answers.ts';
import { mergeApplied, NOTHING_APPLIED } from './applied-settings.ts';
import type { Dialect } from './normalize.ts';

const DIALECT: Dialect = { epoch: 'e1', hasItems: true };
const THREAD = { id: 't', name: 'N', preview: 'hi', cwd: '/p', path: '/r', createdAt: 1, updatedAt: 2, recencyAt: 3 };
const RECORD = {
  threadId: 't',
  name: 'N',
  preview: 'hi',
  cwd: '/p',
  model: null,
  rolloutPath: '/r',
  createdAt: '1970-01-01T00:00:01.000Z',
  updatedAt: '1970-01-01T00:00:02.000Z',
  usedAt: '1970-01-01T00:00:03.000Z',
  parentThreadId: null,
  nickname: null,
};
const turn = (id: string) => ({ id, status: 'completed', items: [] });

test('a thread is told with its times as text; an old Codex knows when it was updated, not when it was used', () => {
  expect(readThread({ thread: THREAD })).toEqual(RECORD);
  expect(readThread({ thread: { ...THREAD, recencyAt: null } })?.usedAt).toBe(RECORD.updatedAt);
});

test('a started thread says what it runs with', () => {
  const answer = {
    thread: THREAD,
    model: 'gpt',
    sandbox: { type: 'readOnly' },
    reasoningEffort: 'high',
    collaborationMode: { mode: 'plan', settings: {} },
  };
  const applied = { model: 'gpt', effort: 'high', sandboxType: 'readOnly', networkAccess: null, mode: 'plan' };
  expect(readStarted(answer)).toEqual({ thread: RECORD, applied });
  expect(readStarted({ thread: THREAD })?.applied).toEqual(NOTHING_APPLIED);
  expect(mergeApplied(applied, { ...NOTHING_APPLIED, model: 'other' })).toEqual({
    ...applied,
    model: 'other',
    effort: null,
  });
  expect(mergeApplied(applied, { ...NOTHING_APPLIED, mode: 'default' })).toEqual({ ...applied, mode: 'default' });
});

test('[CX18] a resumed thread brings its newest turns under our ids', () => {
  const resumed = readResumed(DIALECT, { thread: THREAD, initialTurnsPage: { data: [turn('1'), turn('0')] } });
  expect(resumed?.newestTurns.map((one) => one.turnId)).toEqual(['e1.1', 'e1.0']);
  expect(readResumed(DIALECT, { thread: THREAD })?.newestTurns).toEqual([]);
});

test('a page of threads has each thread once', () => {
  expect(readThreads({ data: [THREAD, THREAD, { no: 'thread' }], nextCursor: 'c' })).toEqual({
    threads: [RECORD],
    nextCursor: 'c',
  });
});

test('[CX18] turns are told under our ids', () => {
  expect(readTurns(DIALECT, { data: [turn('0')] })).toMatchObject({ turns: [{ turnId: 'e1.0' }], nextCursor: null });
  expect(readTurnId(DIALECT, { turn: turn('0') })).toBe('e1.0');
  expect([readSteeredId(DIALECT, { turnId: '0' }), readSteeredId(DIALECT, {})]).toEqual(['e1.0', null]);
});

test('[CV80] the inner turn of a review is left out of the history; a turn of a person whose process was killed is not', () => {
  const said = (clientId: string | null) => ({
    type: 'userMessage',
    id: 'u',
    clientId,
    content: [{ type: 'text', text: 'a' }],
  });
  const cut = (id: string, rootTurnId: string | null, items: readonly unknown[]) => ({
    ...turn(id),
    rootTurnId,
    status: 'interrupted',
    completedAt: null,
    items,
  });
  const data = [
    cut('inner', 'review', [said(null)]),
    cut('killed', 'killed', [said(null)]),
    cut('old', null, [said(null)]),
    cut('ours', 'root', [said('m')]),
    cut('spoke', 'root', [said(null), { type: 'agentMessage', id: 'a', text: 'x' }]),
    { ...turn('done'), rootTurnId: 'root', items: [said(null)] },
  ];
  const ids = readTurns(DIALECT, { data })?.turns.map(({ turnId }) => turnId);
  expect(ids).toEqual(['killed', 'old', 'ours', 'spoke', 'done']);
  const review = { ...turn('r'), items: [{ type: 'enteredReviewMode', id: 'n', review: 'x' }, said(null), said('m')] };
  const kept = readTurns(DIALECT, { data: [review] })?.turns[0]?.items;
  expect(kept).toMatchObject([{ kind: 'note' }, { kind: 'user', clientId: 'm' }]);
});

test('loaded threads are told by their ids', () => {
  expect(readLoaded({ data: ['a', 'b', 3] })).toEqual(['a', 'b']);
});

test('an answer nobody can read is null', () => {
  const readers = [
    readStarted,
    readThread,
    readThreads,
    readLoaded,
    ...[readResumed, readTurns, readTurnId, readSteeredId].map((read) => (value: unknown) => read(DIALECT, value)),
  ];
  for (const answer of [null, 'text', 3]) expect(readers.map((read) => read(answer))).toEqual(readers.map(() => null));
});
