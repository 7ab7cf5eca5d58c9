/** What a ledger remembers and lets go, and how fast a source may be. */
import { expect, test } from 'vitest';
import type { ExternalEvent, LedgerLine } from '../../contract/external-event.ts';
import { takeToken } from './bucket.ts';
import { emptyLedger, expiredEvents, foldLine } from './ledger-state.ts';

const DAY = 24 * 3_600_000;
const NOW = Date.parse('2026-06-01T00:00:00Z');

function line(seq: number, at = NOW): LedgerLine {
  const event: ExternalEvent = {
    schema_version: 1,
    event_id: `evt_${seq}`,
    time_unix_ms: 0,
    type: 'a',
    severity: 'info',
    source: { name: 's' },
    routing: { thread_id: 't' },
    title: '',
    summary: '',
    trust: { origin: 'local', authenticated: false, provenance: 'none', treat_as_instruction: false },
  };
  const ts = new Date(at).toISOString();
  return { seq, ts, kind: 'event', ingress: 'file', state: 'queued', mode: 'queue_for_next_turn', event };
}

test('[EV14] what is read and done goes after a week or beyond a thousand; unread and waiting events stay', () => {
  const state = emptyLedger();
  for (let seq = 1; seq <= 10; seq += 1) foldLine(state, line(seq, seq <= 2 ? NOW - 8 * DAY : NOW));
  const ts = new Date(NOW).toISOString();
  const done = (events: number[]): LedgerLine => ({
    seq: 20,
    ts,
    kind: 'state',
    events,
    state: 'delivered',
    mode: 'queue_for_next_turn',
    turn_id: 'turn',
  });
  foldLine(state, done([1, 2, 3, 4, 5]));
  foldLine(state, { seq: 21, ts, kind: 'read', events: [1, 3, 4, 6] });
  expect(state.events.get(1)).toMatchObject({ state: 'delivered', turn_id: 'turn', read: true });
  const expired = (maxEvents: number) => expiredEvents(state, { maxEvents, maxAgeMs: 7 * DAY }, NOW);
  expect(expired(1_000)).toEqual([1]);
  expect(expired(7)).toEqual([1, 3]);
  // The newest stay, however many older ones nobody has read.
  expect(expired(4)).toEqual([1, 3, 4]);
  expect(expired(0)).toEqual([1, 3, 4]);
});

test('[EV15] a source has a burst and then a flow, whatever the wall clock does', () => {
  const limits = { burst: 3, perSecond: 2 };
  let bucket: ReturnType<typeof takeToken>['bucket'] | undefined;
  const take = (at: number) => {
    const taken = takeToken(bucket, limits, at);
    bucket = taken.bucket;
    return taken.isTaken;
  };
  expect([take(0), take(0), take(0), take(0)]).toEqual([true, true, true, false]);
  expect([take(400), take(500), take(600)]).toEqual([false, true, false]);
  expect([take(10_000), take(10_000), take(10_000), take(10_000)]).toEqual([true, true, true, false]);
});
