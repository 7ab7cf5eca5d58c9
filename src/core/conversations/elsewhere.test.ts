/** What is new in Codex's history, and what it is told as. */
import { expect, test } from 'vitest';
import type { TurnRecord } from '../codex/signal.ts';
import { asHeld, markFrom, newerTurns } from './elsewhere.ts';

const turn = (turnId: string, change: Partial<TurnRecord> = {}): TurnRecord => ({
  turnId,
  status: 'completed',
  items: [],
  failure: null,
  durationMs: 1,
  startedAtMs: 0,
  ...change,
});

test('[CS41] turns newer than the newest known one are new; without a known one nobody can tell', () => {
  const turns = ['d', 'c', 'b', 'a'].map((id) => turn(id));
  expect(newerTurns(turns, (id) => id === 'b' || id === 'a')?.map((one) => one.turnId)).toEqual(['d', 'c']);
  expect(newerTurns(turns, (id) => id === 'd')).toEqual([]);
  expect(newerTurns(turns, () => false)).toBeNull();
});

test('[CS41] the newest turn of a thread that another process has open goes on, unless it has ended', () => {
  const open = turn('b', { status: 'interrupted', durationMs: null });
  expect(asHeld([open, turn('a')], true).map((one) => one.status)).toEqual(['running', 'completed']);
  expect(asHeld([open, turn('a')], false).map((one) => one.status)).toEqual(['interrupted', 'completed']);
  expect(asHeld([turn('b', { status: 'interrupted' })], true).map((one) => one.status)).toEqual(['interrupted']);
  expect(asHeld([turn('b'), open], true).map((one) => one.status)).toEqual(['completed', 'interrupted']);
});

test('[CS41] a message without an id of ours is marked: by what Codex noted, else by who has the thread open', () => {
  const user = (clientId: string | null) =>
    ({ kind: 'user', id: 'i', text: 't', images: [], clientId, isContextual: false }) as const;
  const from = (clientId: string | null, trigger: string | null, holder: string | null) => {
    const triggers = new Map(trigger === null ? [] : [['t', trigger]]);
    const [item] = markFrom(turn('t', { items: [user(clientId)] }), triggers, holder).items;
    return item?.kind === 'user' ? item.from : null;
  };
  expect(from(null, 'exec', 'Codex TUI')).toBe('codex exec');
  expect(from(null, null, 'Codex TUI')).toBe('Codex TUI');
  expect(from(null, null, null)).toBe('another Codex program');
  expect(from('ours', 'exec', null)).toBeUndefined();
});
