/** What a person finds among many events. */
import { expect, test } from 'vitest';
import type { EventRecord } from '../../contract/external-event.ts';
import { type EventFilter, filterOf } from './event-filter.ts';

const event: EventRecord = {
  event_seq: 1,
  event_id: 'evt_1',
  type: 'build.failed',
  severity: 'error',
  title: 'Windows failed',
  summary: 'path Separators differ',
  source: { name: 'buildkite', run_id: 'b-12' },
  time_unix_ms: 0,
  received_at: '2026-01-01T00:00:00.000Z',
  ingress: 'http',
  trust: { origin: 'local', authenticated: true, provenance: 'token', treat_as_instruction: false },
  state: 'queued',
  mode: 'queue_for_next_turn',
  read: false,
};

test.each<readonly [EventFilter, boolean]>([
  [{ min_severity: 'error' }, true],
  [{ min_severity: 'critical' }, false],
  [{ min_severity: 'debug' }, true],
  [{ source: 'buildkite' }, true],
  [{ source: 'build' }, false],
  [{ q: 'separators  WINDOWS' }, true],
  [{ q: 'separators linux' }, false],
  [{ q: 'b-12' }, true],
  [{ q: 'evt_1 build.failed buildkite' }, true],
  [{ q: 'windows', min_severity: 'critical' }, false],
])('[EV17] %o finds it: %s', (filter, isFound) => {
  expect(filterOf(filter)?.(event)).toBe(isFound);
});

test('[EV17] a filter that asks for nothing is none', () => {
  expect([filterOf({}), filterOf({ q: '  ' })]).toEqual([null, null]);
});
