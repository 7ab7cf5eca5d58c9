/** Which checkpoints go, whose changes overlap, and what is left of an interrupted write. */
import { expect, test } from 'vitest';
import type { Checkpoint, FileSide } from '../../contract/changes.ts';
import { alsoChangedBy, doOverlap, type Span } from './attribute.ts';
import { recoverWrite } from './plan-undo.ts';
import { expiredCheckpoints, isForgotten } from './retention.ts';

const DAY = 24 * 3_600_000;
const ONE = `conv_${'1'.repeat(32)}`;
const TWO = `conv_${'2'.repeat(32)}`;

function checkpoint(number: number, ms: number, isOver = true, bytes = 0): Checkpoint {
  const names = { commit: '0'.repeat(40), tree: '0'.repeat(40) };
  const side = { ...names, at: new Date(ms).toISOString(), late: [], left_out: [], stored_bytes: bytes };
  const id = `chk_${String(number).padStart(16, '0')}`;
  const rest = { kind: 'turn', turn_id: 't', of: null, root: '/r', before: side, after: isOver ? side : null } as const;
  return { id, conversation_id: ONE, number, ...rest };
}

test('[CH9] checkpoints go after 90 days and beyond the limit, the oldest first; a running turn stays', () => {
  const now = 100 * DAY;
  const all = [
    checkpoint(1, 9 * DAY),
    checkpoint(2, 11 * DAY, false),
    checkpoint(3, 12 * DAY),
    checkpoint(4, 13 * DAY),
  ];
  const numbers = (limits?: Parameters<typeof expiredCheckpoints>[2]) =>
    expiredCheckpoints(all, now, limits).map(({ number }) => number);
  expect(numbers()).toEqual([1]);
  expect(numbers({ maxAgeMs: 1_000 * DAY, maxCheckpoints: 1, maxBytes: 0 })).toEqual([1, 3]);
});

test.each([
  [0, [1, 3]],
  [20, [1, 3]],
  [39, [1, 3]],
  [40, [1]],
  [60, [1]],
  [80, []],
])('[CH9] with room for %i bytes the oldest go; the newest and a running turn stay', (maxBytes, expected) => {
  // Each has two snapshots; the second of the running turn is still to come.
  const all = [
    checkpoint(1, 0, true, 10),
    checkpoint(2, 0, false, 20),
    checkpoint(3, 0, true, 10),
    checkpoint(4, 0, true, 10),
  ];
  const limits = { maxAgeMs: DAY, maxCheckpoints: 10, maxBytes };
  expect(expiredCheckpoints(all, 0, limits).map(({ number }) => number)).toEqual(expected);
});

test('[CH9] the checkpoints of a deleted conversation go after two days', () => {
  const all = [checkpoint(1, 0)];
  expect(isForgotten(all, false, DAY)).toBe(false);
  expect(isForgotten(all, false, 3 * DAY)).toBe(true);
  expect(isForgotten(all, true, 3 * DAY)).toBe(false);
});

test.each<[string, Partial<Span>, boolean]>([
  ['within', { startMs: 2, endMs: 3 }, true],
  ['across the end', { startMs: 8, endMs: 12 }, true],
  ['still running', { startMs: 5, endMs: null }, true],
  ['before', { startMs: -5, endMs: 0 }, false],
  ['after', { startMs: 10, endMs: 20 }, false],
  ['of the same conversation', { startMs: 2, endMs: 3, conversationId: ONE }, false],
  ['in another work tree', { startMs: 2, endMs: 3, root: '/other' }, false],
])('[CH20] a turn %s', (_name, other, expected) => {
  const base: Span = { conversationId: ONE, root: '/r', startMs: 0, endMs: 10 };
  expect(doOverlap(base, { ...base, conversationId: TWO, ...other })).toBe(expected);
});

test('[CH20] a file is labelled with the conversations that changed it too', () => {
  const others = [{ conversationId: TWO, paths: new Set(['a']) }];
  expect(alsoChangedBy('a', others)).toEqual([TWO]);
  expect(alsoChangedBy('b', others)).toEqual([]);
});

const side = (digit: string): FileSide => ({ mode: '100644', oid: digit.repeat(40) });

test.each([
  ['the new content is there', side('2'), 'done'],
  ['the old content is there', side('1'), 'write'],
  ['somebody changed it', side('3'), 'leave'],
  ['somebody deleted it', null, 'leave'],
] as const)('[CH17] an interrupted write where %s', (_name, now, expected) => {
  expect(recoverWrite({ from: side('1'), to: side('2') }, now)).toBe(expected);
});
