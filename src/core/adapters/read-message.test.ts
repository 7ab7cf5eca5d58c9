/** Bodies of every kind, honest and hostile, and the events that become of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_EVENT_BYTES } from '../../contract/external-event.ts';
import { admitValue } from '../events/admit.ts';
import { isRecord } from '../text/is-record.ts';
import { eventOfMessage, type MessageRules, type QueueMessage } from './read-message.ts';

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
const message = (body: unknown, change: Partial<QueueMessage> = {}): QueueMessage => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    bytes: bytesOf(text),
    text,
    subject: 'builds.linux',
    id: 'm-1',
    digest: 'd'.repeat(64),
    takenAtMs: 5,
    ...change,
  };
};
const MAP = { type: '/kind', title: '/what', severity: '/level' };
const ENVELOPE = {
  schema_version: 1,
  event_id: 'e',
  time_unix_ms: 0,
  type: 'build.done',
  routing: { thread_id: 'ci' },
  title: 'Build',
};

describe('[AD4] the body of a message', () => {
  test('is an envelope, a CloudEvent, or JSON by the map of the entry', () => {
    const own = eventOfMessage(message({ ...ENVELOPE, source: { name: 'liar', run_id: '7' } }), {});
    expect(own).toEqual({ ok: true, value: { ...ENVELOPE, source: { name: 'builds.linux', run_id: '7' } } });
    const cloud = { specversion: '1.0', id: 'c', source: '/liar', type: 'build.done', threadid: 'ci' };
    const asCloud = eventOfMessage(message(cloud), { source: 'farm' });
    expect(asCloud).toMatchObject({ ok: true, value: { event_id: 'c', source: { name: 'farm' } } });
    const foreign = { kind: 'Build Completed', what: 3, level: 'ERROR', source: { name: 'liar' } };
    expect(eventOfMessage(message(foreign), { map: MAP })).toEqual({
      ok: true,
      value: {
        schema_version: 1,
        event_id: 'm-1',
        time_unix_ms: 5,
        type: 'Build_Completed',
        severity: 'error',
        routing: {},
        title: '3',
        payload: foreign,
        source: { name: 'builds.linux' },
      },
    });
  });

  test('takes constants, deeper pointers and an id of its own where the map says so', () => {
    const body = { a: { 'b/c': [{ id: 'x' }] } };
    const map = { type: 'disk.low', title: 'Disk', severity: 'nonsense', event_id: '/a/b~1c/0/id' };
    const event = eventOfMessage(message(body, { id: null }), { map });
    expect(event).toMatchObject({ ok: true, value: { type: 'disk.low', event_id: 'x', severity: 'info' } });
    const without = eventOfMessage(message(body, { id: null }), { map: { type: 't', title: 't', severity: 'info' } });
    expect(without).toMatchObject({ ok: true, value: { event_id: 'd'.repeat(64) } });
  });

  test('that is no event is refused with the reason', () => {
    const reasonOf = (given: QueueMessage, rules: MessageRules = {}) => {
      const event = eventOfMessage(given, rules);
      return event.ok ? 'ok' : `${event.error.code}: ${event.error.message}`;
    };
    expect(reasonOf(message('{'))).toBe('invalid_event: the message is not JSON');
    expect(reasonOf(message('x', { text: null }))).toBe('invalid_event: the message is not UTF-8');
    expect(reasonOf(message('x'.repeat(MAX_EVENT_BYTES + 1)))).toContain('too_large: the message has 65537 bytes');
    expect(reasonOf(message('['.repeat(5_000)))).toContain('nested too deeply');
    expect(reasonOf(message({ some: 'json' }))).toContain('has no map for other JSON');
    expect(reasonOf(message({ kind: 'x' }), { map: MAP })).toBe(
      'invalid_event: map.title: there is no text or number at /what',
    );
    expect(reasonOf(message({ kind: 'x', what: {} }), { map: MAP })).toContain('map.title');
    expect(reasonOf(message({ __proto__: null, what: 'a' }), { map: { ...MAP, type: '/__proto__' } })).toContain(
      'map.type',
    );
  });
});

describe('[AD3] whatever a message holds', () => {
  const bodies = fc.oneof(
    fc.jsonValue(),
    fc.record({ schema_version: fc.constant(1), source: fc.jsonValue(), title: fc.string(), trust: fc.jsonValue() }),
    fc.record({ specversion: fc.constant('1.0'), id: fc.string(), source: fc.string(), type: fc.string() }),
    fc.record({ kind: fc.string(), what: fc.string(), level: fc.string(), source: fc.jsonValue() }),
  );

  test('its source is what the entry fixes, or else the subject; the payload names none', () => {
    fc.assert(
      fc.property(
        bodies,
        fc.option(fc.string({ minLength: 1, maxLength: 128 })),
        fc.string(),
        (body, source, subject) => {
          const rules = { map: MAP, ...(source !== null && { source }) };
          const event = eventOfMessage(message(body, { subject }), rules);
          if (!event.ok) return;
          const { source: given } = event.value;
          const wanted = source ?? (subject === '' ? 'queue' : subject.slice(0, 128));
          expect(isRecord(given) ? given.name : given).toBe(wanted);
        },
      ),
    );
  });

  test('what the map makes of it the server takes', () => {
    const clean = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.record({ kind: clean, what: clean, level: clean, more: fc.jsonValue() }), (body) => {
        const event = eventOfMessage(message(body), { map: MAP });
        if (!event.ok) throw new Error(event.error.message);
        const admitted = admitValue({ ...event.value, routing: { thread_id: 'ci' } });
        if (!admitted.ok) expect(admitted.error.message).toMatch(/deep|keys|not allowed/);
      }),
    );
  });
});
