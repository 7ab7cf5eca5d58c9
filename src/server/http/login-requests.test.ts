/** New logins that wait, with a clock that stands still. */
import { beforeEach, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { createLoginRequests, type LoginRequests, type NewLogin } from './login-requests.ts';

const KEY = { x: 'x'.repeat(43), y: 'y'.repeat(43) };
let clock: ManualClock;
let requests: LoginRequests;
let changes = 0;
let settled = 0;
beforeEach(() => {
  clock = createManualClock();
  changes = 0;
  settled = 0;
  requests = createLoginRequests({
    clock,
    isAnswerable: () => true,
    onChange: () => {
      changes += 1;
    },
  });
});

const login = (): NewLogin => ({
  publicKey: KEY,
  browser: 'Firefox/1',
  madeBy: 'terminal',
  settle: () => {
    settled += 1;
  },
});

function ask(one = login()) {
  const made = requests.ask(one);
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}
const wait = (secret: string, signal = new AbortController().signal) => requests.wait(secret, signal);
const idOf = (code: string) => requests.list().find((one) => one.code === code)?.id ?? '';

test('[AG10] an allowed login gets its key once; the list shows the code and never the secret', async () => {
  const { wait: secret, code } = ask();
  expect(requests.list()).toEqual([
    {
      id: expect.any(String),
      code,
      browser: 'Firefox',
      made_by: 'terminal',
      expires_in_ms: 300_000,
      opens_in_ms: null,
    },
  ]);
  expect(JSON.stringify(requests.list())).not.toContain(secret);
  const waiting = wait(secret);
  expect(requests.answer(idOf(code), 'allow').ok).toBe(true);
  expect(await waiting).toEqual({ ok: true, value: { publicKey: KEY } });
  expect(await wait(secret)).toMatchObject({ ok: false, error: { code: 'stale' } });
  expect([changes, settled, requests.list()]).toEqual([2, 1, []]);
});

test('[AG10] refused, and five minutes without an answer: the browser hears which', async () => {
  const [first, second] = [ask(), ask()];
  requests.answer(idOf(first.code), 'refuse');
  expect(await wait(first.wait)).toMatchObject({ error: { details: { reason: 'login_refused' } } });
  expect(requests.answer(idOf(first.code), 'allow')).toMatchObject({ error: { code: 'not_found' } });
  clock.advance(5 * 60_000);
  expect(await wait(second.wait)).toMatchObject({ error: { details: { reason: 'login_timed_out' } } });
  expect(requests.answer(idOf(second.code), 'allow').ok).toBe(false);
});

test('[AG10] a browser that asks for its answer hears after 20 seconds that it still waits, and asks again', async () => {
  const { wait: secret, code } = ask();
  const waiting = wait(secret);
  clock.advance(20_000);
  expect(await waiting).toMatchObject({ ok: true, value: { code, expires_in_ms: 280_000 } });
  const first = wait(secret);
  const second = wait(secret);
  expect(await first).toMatchObject({ ok: true, value: { code } });
  requests.answer(idOf(code), 'allow');
  expect(await second).toEqual({ ok: true, value: { publicKey: KEY } });
});

test('[AG10] who hung up before the answer does not take the session along', async () => {
  const { wait: secret, code } = ask();
  const gone = new AbortController();
  const waiting = wait(secret, gone.signal);
  gone.abort();
  await waiting;
  const late = new AbortController();
  late.abort();
  requests.answer(idOf(code), 'allow');
  await wait(secret, late.signal);
  expect(await wait(secret)).toEqual({ ok: true, value: { publicKey: KEY } });
});

test('[AG10] five logins wait at most, with five different codes', () => {
  const codes = new Set(Array.from({ length: 5 }, () => ask().code));
  expect(codes.size).toBe(5);
  expect(requests.ask(login())).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
});

test('[AG10] a link that is opened again replaces its login, and only the new code counts', async () => {
  const first = login();
  const { wait: secret, code } = ask(first);
  const id = idOf(code);
  requests.forget(first);
  expect(settled).toBe(0);
  expect(await wait(secret)).toMatchObject({ error: { details: { reason: 'login_replaced' } } });
  expect(requests.answer(id, 'allow')).toMatchObject({ ok: false });
});

test('[AG12] allowed at a terminal: a minute after it asked, unless the open browser refuses; with the password at once', async () => {
  const [first, second, third] = [ask(), ask(), ask()];
  clock.advance(10_000);
  expect(requests.allowAtTerminal(first.code, false)).toEqual({ ok: true, value: 50_000 });
  expect(requests.allowAtTerminal(second.code, false)).toEqual({ ok: true, value: 50_000 });
  expect(requests.allowAtTerminal(third.code, true)).toEqual({ ok: true, value: 0 });
  expect(await wait(third.wait)).toEqual({ ok: true, value: { publicKey: KEY } });
  expect(requests.list().map(({ opens_in_ms }) => opens_in_ms)).toEqual([50_000, 50_000]);
  requests.answer(idOf(second.code), 'refuse');
  const waiting = wait(first.wait);
  clock.advance(19_999);
  expect(requests.list()).toHaveLength(1);
  clock.advance(30_001);
  expect(await waiting).toEqual({ ok: true, value: { publicKey: KEY } });
  expect(await wait(second.wait)).toMatchObject({ error: { details: { reason: 'login_refused' } } });
  expect(requests.allowAtTerminal('0000', false)).toMatchObject({ ok: false, error: { code: 'not_found' } });
});
