/** What an adapter may publish, as whom, and with which entry. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AdapterEntries, AdapterEntry, PROVENANCES } from '../../contract/adapter.ts';
import { isRecord } from '../text/is-record.ts';
import { confineEvent, trustOfAdapter } from './confine-event.ts';

const ADDRESSES: Readonly<Record<string, string>> = {
  ci: 'thr_1',
  thr_1: 'thr_1',
  web: 'thr_2',
  thr_2: 'thr_2',
  other: 'thr_3',
  thr_3: 'thr_3',
};
const find = (name: string): string | null => (Object.hasOwn(ADDRESSES, name) ? (ADDRESSES[name] ?? null) : null);
const target = (event: unknown, threads: string[], source?: string) => {
  const answer = confineEvent(event, { threads, source }, find);
  return answer.ok && isRecord(answer.value) && isRecord(answer.value.routing)
    ? answer.value.routing.thread_id
    : answer.ok || answer.error.code;
};

describe('[AD2] an adapter publishes', () => {
  test('to the threads of its entry, by label or id, and nowhere else', () => {
    expect(target({ routing: { thread_id: 'ci' } }, ['ci', 'web'])).toBe('thr_1');
    expect(target({ routing: { thread_id: 'thr_2' } }, ['ci', 'web'])).toBe('thr_2');
    expect(target({ routing: { thread_id: 'other' } }, ['ci', 'web'])).toBe('unknown_thread');
    expect(target({ routing: { thread_id: 'nobody' } }, ['ci', 'nobody'])).toBe('unknown_thread');
    expect(target({ routing: { thread_id: 7 } }, ['ci'])).toBe('invalid_event');
    expect(target('text', ['ci'])).toBe('invalid_event');
  });

  test('without a thread in the message only where the entry has exactly one', () => {
    expect(target({}, ['ci'])).toBe('thr_1');
    expect(target({ routing: {} }, ['ci', 'web'])).toBe('invalid_event');
  });

  test('no event to another address, whatever the event says', () => {
    const names = fc.constantFrom(...Object.keys(ADDRESSES), 'nobody', '__proto__');
    fc.assert(
      fc.property(fc.anything(), names, fc.array(names, { minLength: 1, maxLength: 4 }), (extra, named, threads) => {
        const event = { ...(isRecord(extra) ? extra : {}), routing: { thread_id: named } };
        const answer = target(event, threads);
        expect(['unknown_thread', 'invalid_event', ...threads.map(find)]).toContain(answer);
      }),
    );
  });
});

test('[AD3] the source of an entry replaces what the message says', () => {
  const confined = confineEvent({ source: { name: 'liar', url: 'u' } }, { threads: ['ci'], source: 'farm' }, find);
  expect(confined).toMatchObject({ ok: true, value: { source: { name: 'farm', url: 'u' } } });
});

describe('[AD3] the trust of an adapter', () => {
  const entry = (more: object) => AdapterEntry.parse({ type: 'nats', stream: 's', threads: ['ci'], ...more });

  test('comes from the credential in its entry, which a broker must have asked for', () => {
    const open = entry({ url: 'nats://127.0.0.1:4222' });
    const keyed = entry({ url: 'nats://127.0.0.1:4222', nkey_file: '/k' });
    const user = entry({ url_env: 'NATS_URL' });
    for (const said of [...PROVENANCES, 'token', undefined])
      expect(trustOfAdapter(open, said)).toMatchObject({ origin: 'queue', authenticated: false, provenance: 'none' });
    expect(trustOfAdapter(keyed, 'nkey')).toMatchObject({ authenticated: true, provenance: 'nkey' });
    expect(trustOfAdapter(keyed, 'none')).toMatchObject({ authenticated: false, provenance: 'none' });
    expect(trustOfAdapter(keyed, 'user')).toMatchObject({ authenticated: false, provenance: 'none' });
    expect(trustOfAdapter(user, 'user')).toMatchObject({ authenticated: true, provenance: 'user' });
  });
});

describe('[AD1] an entry of [[external_events.adapters]]', () => {
  const base = { type: 'redis', stream: 'ci', url: 'redis://127.0.0.1:6379', threads: ['ci'] };
  const flawOf = (entry: object): string => {
    const parsed = AdapterEntry.safeParse(entry);
    return parsed.success ? 'ok' : `${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message}`;
  };

  test('is taken with an address, a queue and threads', () => {
    expect(flawOf(base)).toBe('ok');
    expect(flawOf({ type: 'nats', stream: 'S', subject: 'ci.>', url_env: 'NATS_URL', threads: ['ci'] })).toBe('ok');
    expect(flawOf({ type: 'mqtt', topic: 'ci/#', url_file: '~/mqtt.url', threads: ['ci'] })).toBe('ok');
  });

  test('is refused without threads, with a password, with two addresses, with an unknown key', () => {
    const { threads: _threads, ...threadless } = base;
    expect(flawOf(threadless)).toBe('threads: name the threads it may publish to, by label or id');
    expect(flawOf({ ...base, threads: [] })).toContain('threads: ');
    for (const url of [
      'redis://:secret@127.0.0.1',
      'redis://user@127.0.0.1',
      'redis://a:b@c@127.0.0.1',
      'redis://x?p=a@b',
    ])
      expect(flawOf({ ...base, url })).toContain('url: no user or password here');
    expect(flawOf({ ...base, url: 'http://127.0.0.1' })).toContain('redis:// or rediss://');
    expect(flawOf({ ...base, url_env: 'X' })).toContain('say where the broker is, once');
    expect(flawOf({ ...base, url: undefined })).toContain('say where the broker is, once');
    expect(flawOf({ ...base, channel: 'c' })).toContain('one of the two');
    expect(flawOf({ ...base, passwort: 'x' })).toContain('Unrecognized key');
  });

  test('has a name of its own', () => {
    expect(AdapterEntries.safeParse([base, { ...base, name: 'second' }]).success).toBe(true);
    expect(AdapterEntries.safeParse([base, base]).error?.issues[0]?.message).toContain('two adapters are called redis');
  });
});
