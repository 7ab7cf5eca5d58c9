/** What waits for a person, and which conversation a notice names. */
import { expect, test } from 'vitest';
import type { AppState } from '../state/store.ts';
import { countWaiting, newlyWaiting, totalOf } from './waiting.ts';

const state = (openId: string | null, rows: Record<string, number>, approvals: number, isSynchronized = true) =>
  ({
    openId,
    list: new Map(Object.entries(rows).map(([id, pending]) => [id, { id, pending_approvals: pending }])),
    view: { isSynchronized, live: { approvals: Array.from({ length: approvals }, () => ({})) } },
  }) as unknown as Pick<AppState, 'list' | 'openId' | 'view'>;

test('[PG47] the open conversation counts by its requests, so that a notice has the words of the request', () => {
  const early = countWaiting(state('open', { open: 1, other: 0 }, 0));
  expect([totalOf(early), newlyWaiting(new Map(), early)]).toEqual([0, null]);
  const arrived = countWaiting(state('open', { open: 1, other: 0 }, 1));
  expect([totalOf(arrived), newlyWaiting(early, arrived)]).toEqual([1, 'open']);
});

test('[PG47] another conversation counts by its row, and is the one that the notice names', () => {
  const before = countWaiting(state('open', { open: 1, other: 0 }, 1));
  const after = countWaiting(state('open', { open: 1, other: 2 }, 1));
  expect([totalOf(after), newlyWaiting(before, after)]).toEqual([3, 'other']);
});

test('while the connection is cut the open conversation counts by its row too', () => {
  expect(totalOf(countWaiting(state('open', { open: 1 }, 0, false)))).toBe(1);
});
