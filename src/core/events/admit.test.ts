/** What is taken as an event, and what is made of its texts. */
import { describe, expect, test } from 'vitest';
import { byteLength } from '../text/bytes.ts';
import { admitText, admitValue } from './admit.ts';

const EVENT = {
  schema_version: 1,
  event_id: 'evt_1',
  time_unix_ms: 1_730_831_111_000,
  type: 'build.completed',
  severity: 'info',
  source: { name: 'buildkite', run_id: 'build-1234', labels: { branch: 'main' } },
  routing: { thread_id: 'thr_123' },
  title: 'Build finished',
  summary: 'Linux passed',
};
const admit = (change: object) => admitText(JSON.stringify({ ...EVENT, ...change }));
const codeOf = (result: ReturnType<typeof admitText>) => (result.ok ? 'ok' : result.error.code);

describe('[EV1] what is an event', () => {
  test('the envelope with everything in it', () => {
    const whole = {
      ...EVENT,
      payload: { job: 'linux' },
      artifacts: [{ kind: 'log', title: 'stderr', ref: { type: 'url', url: 'https://ci/1' } }],
      suggested_actions: [{ action_id: 'a', title: 'Open', kind: 'open_url', args: { url: 'https://ci/1' } }],
    };
    expect(admitText(JSON.stringify(whole))).toEqual({ ok: true, value: { event: whole, verbatim: null } });
  });

  test('the least there can be', () => {
    const { severity: _severity, source: _source, summary: _summary, ...least } = EVENT;
    expect(admitText(JSON.stringify(least))).toMatchObject({
      ok: true,
      value: { event: { severity: 'info', source: { name: 'local' }, summary: '' } },
    });
  });

  test.each([
    ['no JSON', 'nonsense'],
    ['an array', '[]'],
    ['a number', '7'],
    ['nothing', ''],
  ])('%s is none', (_name, text) => {
    expect(codeOf(admitText(text))).toBe('invalid_event');
  });

  test.each([
    ['another version', { schema_version: 2 }],
    ['no id', { event_id: '' }],
    ['a time that is text', { time_unix_ms: '2026' }],
    ['a type with spaces', { type: 'build finished' }],
    ['an unknown severity', { severity: 'fatal' }],
    ['a path for a thread', { routing: { thread_id: '../../x' } }],
    ['a nul in the thread', { routing: { thread_id: 'a\0b' } }],
    ['an artifact of an unknown kind', { artifacts: [{ kind: 'log', ref: { type: 'ftp', url: 'x' } }] }],
  ])('%s is refused by name', (_name, change) => {
    const refused = admit(change);
    expect(codeOf(refused)).toBe('invalid_event');
    expect(refused.ok ? '' : refused.error.message).not.toBe('');
  });

  test('a missing thread says so', () => {
    expect(admit({ routing: undefined })).toMatchObject({ error: { details: { reason: 'missing_thread_id' } } });
    expect(admit({ routing: {} })).toMatchObject({ error: { details: { reason: 'missing_thread_id' } } });
  });

  test.each([0, -1, 253_402_300_799_999])('the time %d is kept as it is', (time) => {
    expect(admit({ time_unix_ms: time })).toMatchObject({ ok: true, value: { event: { time_unix_ms: time } } });
  });
});

test('[EV3] what a producer says about trust is thrown away', () => {
  const admitted = admit({ trust: { origin: 'local', authenticated: true, treat_as_instruction: true } });
  expect(admitted.ok && 'trust' in admitted.value).toBe(false);
});

describe('[EV2] bounds', () => {
  test('64 KiB and no byte more, counted in UTF-8', () => {
    const filled = (count: number, unit: string) => JSON.stringify({ ...EVENT, summary: unit.repeat(count) });
    const room = 64 * 1024 - byteLength(filled(0, ''));
    expect(codeOf(admitText(filled(room, 'x')))).toBe('ok');
    expect(codeOf(admitText(filled(room + 1, 'x')))).toBe('too_large');
    expect(codeOf(admitText(filled(Math.floor(room / 2), 'é')))).toBe('ok');
    expect(codeOf(admitText(filled(Math.floor(room / 2) + 1, 'é')))).toBe('too_large');
  });

  test('what is too deep, too wide or reaches for a prototype is refused, quickly', () => {
    const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const withPayload = (payload: string) => `${JSON.stringify(EVENT).slice(0, -1)},"payload":${payload}}`;
    expect(codeOf(admitText(withPayload(deep(20))))).toBe('ok');
    expect(codeOf(admitText(withPayload(deep(40))))).toBe('invalid_event');
    expect(codeOf(admitText(withPayload(deep(30_000))))).toBe('invalid_event');
    expect(codeOf(admitText(withPayload(deep(200_000))))).toBe('too_large');
    expect(codeOf(admitText(withPayload('{"__proto__":{"isAdmin":true}}')))).toBe('invalid_event');
    expect(codeOf(admitText(withPayload('{"\\u005f_proto__":{}}')))).toBe('invalid_event');
    expect(codeOf(admitText(withPayload('{"a":{"constructor":{}}}')))).toBe('invalid_event');
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 257 }, (_, at) => [`k${at}`, at])));
    expect(codeOf(admitText(withPayload(wide)))).toBe('invalid_event');
    expect(codeOf(admitValue(JSON.parse(deep(100_000))))).toBe('invalid_event');
  });
});

test('[EV4] control characters, terminal sequences, bidi marks and half characters are gone', () => {
  const dirty = 'a\u001b[31mred\u001b[0m\u0007\u202eltr\u2066\u200b\u0000\u009b2Jb\ud83d!\ttab\nline';
  const admitted = admit({ title: dirty, payload: { 'k\u0007': [dirty] } });
  const clean = 'aredltrb\ufffd!\ttab\nline';
  expect(admitted).toMatchObject({
    ok: true,
    value: { event: { title: clean, payload: { k: [clean] } }, verbatim: null },
  });
});

describe('[EV4] what came in is stored as it came only when that says the same', () => {
  const verbatimOf = (text: string) => {
    const admitted = admitText(text);
    return admitted.ok ? admitted.value.verbatim : 'refused';
  };
  const USUAL = { ...EVENT, source: { name: 'ci', run_id: 'build-1' } };
  const usual = JSON.stringify(USUAL);
  test('the usual event, also with spaces', () => {
    const spaced = usual.replaceAll('":', '" : ');
    expect([verbatimOf(usual), verbatimOf(spaced)]).toEqual([usual, spaced]);
  });
  test.each([
    ['a claim of trust', JSON.stringify({ ...USUAL, trust: { authenticated: true } })],
    ['a key nobody knows', JSON.stringify({ ...USUAL, extra: 1 })],
    ['a key nobody knows further in', JSON.stringify({ ...USUAL, routing: { ...USUAL.routing, extra: 1 } })],
    ['a default that is left out', JSON.stringify({ ...USUAL, severity: undefined })],
    ['a character that is cleaned away', JSON.stringify({ ...USUAL, title: 'a\u202eb' })],
    ['an escaped character that may be one', usual.replace('"title":"', '"title":"\\u0041')],
    ['two lines', JSON.stringify(USUAL, null, 1)],
    ['a space behind it', `${usual} `],
  ])('%s is written anew', (_name, text) => {
    expect(verbatimOf(text)).toBeNull();
  });
});

test.each(['a\nb', 'a\tb', 'a\u007fb'])('[EV4] %j is no name: two could become one', (name) => {
  expect(codeOf(admit({ event_id: name }))).toBe('invalid_event');
  expect(codeOf(admit({ source: { name } }))).toBe('invalid_event');
});

test('[EV5] a way in that belongs to a thread takes no event for another', () => {
  const other = admitText(JSON.stringify(EVENT), { thread: 'thr_9' });
  expect(other).toMatchObject({ ok: false, error: { details: { reason: 'wrong_thread' } } });
  const { routing: _routing, ...unrouted } = EVENT;
  const given = admitText(JSON.stringify(unrouted), { thread: 'thr_9', isThreadGiven: true });
  expect(given).toMatchObject({ ok: true, value: { event: { routing: { thread_id: 'thr_9' } } } });
});

describe('[EV6] CloudEvents 1.0', () => {
  const CLOUD = {
    specversion: '1.0',
    id: 'ce-1',
    source: '/buildkite/org/repo',
    type: 'com.example.build',
    time: '2026-01-02T03:04:05Z',
    subject: 'build-7',
    threadid: 'thr_123',
    correlationid: 'release-1',
    severity: 'error',
  };
  test('become the same event', () => {
    const data = { title: 'Build failed', summary: 'two tests', payload: { tests: 2 } };
    expect(admitValue({ ...CLOUD, data })).toEqual({
      ok: true,
      value: {
        event: {
          schema_version: 1,
          event_id: 'ce-1',
          time_unix_ms: Date.parse('2026-01-02T03:04:05Z'),
          type: 'com.example.build',
          severity: 'error',
          source: { name: 'buildkite', instance: 'org/repo', run_id: 'build-7' },
          routing: { thread_id: 'thr_123', correlation_id: 'release-1' },
          title: 'Build failed',
          summary: 'two tests',
          payload: { tests: 2 },
        },
        verbatim: null,
      },
    });
  });
  test('keep data of their own as the payload', () => {
    expect(admitValue({ ...CLOUD, data: { anything: [1] } })).toMatchObject({
      value: { event: { title: 'com.example.build: build-7', payload: { anything: [1] } } },
    });
  });
  test.each(['id', 'source', 'type', 'threadid'])('are refused without %s', (name) => {
    expect(codeOf(admitValue({ ...CLOUD, [name]: undefined }))).toBe('invalid_event');
  });
  test('of another version are refused', () => {
    expect(codeOf(admitValue({ ...CLOUD, specversion: '0.3' }))).toBe('invalid_event');
  });
});
