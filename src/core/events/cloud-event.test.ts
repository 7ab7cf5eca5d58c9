/** CloudEvents as others write them, and the envelope they become. */
import { describe, expect, test } from 'vitest';
import { cloudEventOfHeaders, isCloudEvent, readCloudEvent } from './cloud-event.ts';

const EVENT = { specversion: '1.0', id: '1', source: '/buildkite/org/repo', type: 'build.finished' };
const read = (more: Record<string, unknown>) => readCloudEvent({ ...EVENT, ...more });

test('[EV6] they are told from ours by their version', () => {
  expect(isCloudEvent(EVENT)).toBe(true);
  for (const other of [{ ...EVENT, schema_version: 1 }, { id: '1' }, [EVENT], null, 'specversion'])
    expect(isCloudEvent(other)).toBe(false);
});

describe('[EV6] what becomes of one', () => {
  test('foreign data is the payload, and the subject says what it is about', () => {
    expect(read({ time: '2026-01-01T00:00:00Z', subject: '42', threadid: 't', data: { ok: false } })).toEqual({
      ok: true,
      value: {
        schema_version: 1,
        event_id: '1',
        time_unix_ms: Date.parse('2026-01-01T00:00:00Z'),
        type: 'build.finished',
        source: { name: 'buildkite', instance: 'org/repo', run_id: '42' },
        routing: { thread_id: 't' },
        title: 'build.finished: 42',
        payload: { ok: false },
      },
    });
  });

  test('data with a title or a summary is an envelope without its frame', () => {
    const data = { title: 'T', summary: 'S', severity: 'error', payload: [1], artifacts: [], suggested_actions: [] };
    const value = {
      title: 'T',
      summary: 'S',
      severity: 'error',
      payload: [1],
      artifacts: [],
      suggested_actions: [],
      routing: { turn_id: 'u', correlation_id: 'c' },
    };
    expect(read({ data, turnid: 'u', correlationid: 'c' })).toMatchObject({ ok: true, value });
    expect(read({ data, severity: 'info' })).toMatchObject({ value: { severity: 'info' } });
    expect(read({ data: { summary: 'S' } })).toMatchObject({ value: { title: 'build.finished', summary: 'S' } });
  });

  test.each([
    ['https://ci.example/a/b', { name: 'ci.example', url: 'https://ci.example/a/b' }],
    ['tool', { name: 'tool' }],
    ['//x/y', { name: 'x', instance: 'y' }],
    ['/', { name: '/' }],
  ])('source %s', (source, expected) => {
    expect(read({ source })).toMatchObject({ ok: true, value: { source: expected } });
  });

  test('without a time nobody knows when, and a body in base64 is not looked into', () => {
    expect(read({ data_base64: 'eHg=' })).toMatchObject({
      value: { time_unix_ms: 0, payload: { encoding: 'base64', data: 'eHg=' } },
    });
  });
});

test.each([
  [{ specversion: '0.3' }, 'specversion'],
  [{ id: '' }, 'id'],
  [{ source: 3 }, 'source'],
  [{ type: undefined }, 'type'],
  [{ time: 'yesterday' }, 'time'],
  [{ time: 5 }, 'time'],
  [{ data_base64: 1 }, 'data_base64'],
])('[EV6] %o is refused', (more, field) => {
  expect(read(more)).toMatchObject({ ok: false, error: { code: 'invalid_event' } });
  const answer = read(more);
  expect(answer.ok ? '' : answer.error.message).toMatch(new RegExp(`^${field}: `));
});

test('[EV6] in binary mode the headers are the attributes and the body the data', () => {
  const headers = {
    'ce-id': 'a%20b',
    'ce-broken': '%zz',
    'ce-not-one': 'x',
    host: 'h',
    'content-type': 'application/json',
  };
  expect(cloudEventOfHeaders(headers, '{"a":1}')).toEqual({ id: 'a b', broken: '%zz', data: { a: 1 } });
  expect(cloudEventOfHeaders(headers, '{"a"')).toMatchObject({ data: '{"a"' });
  expect(cloudEventOfHeaders(headers, '')).toEqual({ id: 'a b', broken: '%zz' });
  expect(cloudEventOfHeaders({ 'content-type': 'text/plain' }, 'hi')).toEqual({
    datacontenttype: 'text/plain',
    data: 'hi',
  });
});
