/** What a ledger remembers of events, and of those that are gone. */
import { expect, test } from 'vitest';
import { KnownEvents } from './known-events.ts';

const named = (name: string, event_id: string) => ({ source: { name }, event_id });

test('[EV9] an event is known by its source and its id together', () => {
  const known = new KnownEvents();
  known.add(named('ci', '1'), 7);
  expect([known.seqOf(named('ci', '1')), known.seqOf(named('cd', '1')), known.seqOf(named('ci', '2'))]).toEqual([
    7,
    undefined,
    undefined,
  ]);
});

test('[EV14] of an event that is gone the name stays, for as long as it went since', () => {
  const known = new KnownEvents();
  known.add(named('ci', '1'), 7);
  known.forget(new Set([7]), 1_000);
  known.recall('ci\n2', 2_000);
  expect([known.seqOf(named('ci', '1')), known.seqOf(named('ci', '2'))]).toEqual([0, 0]);
  const second = { key: 'ci\n2', at: 2_000 };
  expect(known.keepGone(0, 10)).toEqual([{ key: 'ci\n1', at: 1_000 }, second]);
  expect(known.keepGone(1_500, 10)).toEqual([second]);
  expect([known.seqOf(named('ci', '1')), known.seqOf(named('ci', '2'))]).toEqual([undefined, 0]);
});

test('[EV14] no more names are kept than there is room for, and never in place of an event that is there', () => {
  const known = new KnownEvents();
  for (const seq of [1, 2, 3]) known.add(named('ci', String(seq)), seq);
  known.forget(new Set([1, 2, 3]), 1_000);
  known.add(named('ci', '1'), 9);
  expect(known.keepGone(0, 1)).toEqual([{ key: 'ci\n3', at: 1_000 }]);
  expect(['1', '2', '3'].map((id) => known.seqOf(named('ci', id)))).toEqual([9, undefined, 0]);
});

test('[EV14] a name that is recalled does not hide the event that is there', () => {
  const known = new KnownEvents();
  known.add(named('ci', '1'), 7);
  known.recall('ci\n1', 1_000);
  expect(known.seqOf(named('ci', '1'))).toBe(7);
});

test('an id alone names the events of all sources that have it, but for those that are gone', () => {
  const known = new KnownEvents();
  known.add(named('ci', '1'), 7);
  known.add(named('cd', '1'), 8);
  known.add(named('ce', '1'), 9);
  known.add(named('ci', '2'), 10);
  known.forget(new Set([8]), 1_000);
  expect([known.seqsOf('1'), known.seqsOf('3')]).toEqual([[7, 9], []]);
});
