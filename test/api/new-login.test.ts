/** A login link that is opened while a browser is open: that browser decides, or a person at a terminal. */
import { resolve } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { askForLogin } from '../../src/cli/login-link.ts';
import type { RouteOutput } from '../../src/contract/routes.ts';
import { type Box, openBox } from '../../src/testing/box.ts';
import { newPublicKey } from '../../src/testing/session-client.ts';
import type { Watcher } from '../../src/testing/watcher.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/bin/signalbox.js');
const PASSWORD = 'correct horse';

let box: Box;
let watcher: Watcher | null = null;
beforeAll(async () => {
  box = await openBox();
});
afterEach(() => {
  watcher?.close();
  watcher = null;
});
afterAll(() => box.close());

/** A page that is open, as far as the server can tell. */
async function openBrowser(): Promise<Watcher> {
  watcher = await box.watch(await box.create());
  return watcher;
}

/** The page has been away for longer than a reload takes. */
async function browserGone(): Promise<void> {
  watcher?.close();
  await expect.poll(async () => (await link()).mustConfirm, { timeout: 10_000, interval: 500 }).toBe(false);
}

async function post<T>(path: string, body: object): Promise<{ readonly status: number; readonly body: T }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${box.url()}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** This process has no controlling terminal in most runs of the tests; `atTerminal` has. */
async function link() {
  const made = await askForLogin(box.home);
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

type Answer = RouteOutput<'logIn'> & { readonly code?: string; readonly details?: { readonly reason?: string } };

async function openLink(url: string) {
  const token = new URL(url).searchParams.get('token');
  return post<Answer>('/api/session/login', { token, public_key: await newPublicKey(), browser: 'Firefox/1 Linux' });
}

function waitingOf(answer: { readonly body: Answer }) {
  if (!('waiting' in answer.body)) throw new Error(`does not wait: ${JSON.stringify(answer.body)}`);
  return answer.body.waiting;
}

const afterWait = (wait: string) => post<Answer>('/api/session/login/wait', { wait });

/** Runs the command line in a terminal of its own; `typed` is entered at its first question. */
function atTerminal(
  args: readonly string[],
  typed?: string,
): Promise<{ readonly code: number; readonly text: string }> {
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('CODEX_'));
  const pty = spawn(process.execPath, [MAIN, ...args, '--home', box.home], {
    env: { ...Object.fromEntries(env), HOME: box.dir, PATH: '' },
    cols: 200,
  });
  let text = '';
  pty.onData((chunk) => {
    text += chunk;
    if (typed !== undefined && text.endsWith('password: ')) pty.write(`${typed}\r`);
  });
  return new Promise((done) => pty.onExit(({ exitCode }) => done({ code: exitCode, text })));
}

async function listed() {
  return (await box.must('listLogins', {})).logins;
}

test('[AG10] with no browser open a link logs in at once; with one open it waits, and that browser allows it', async () => {
  expect((await openLink((await link()).url)).body).toMatchObject({ session_id: expect.any(String) });
  const page = await openBrowser();
  const heard = page.until((frame) => frame.type === 'logins');
  const { wait, code } = waitingOf(await openLink((await link()).url));
  await heard;
  const [login] = await listed();
  expect(login).toMatchObject({ code, browser: 'Firefox on Linux' });
  const answer = afterWait(wait);
  await box.must('answerLogin', { login_id: login?.id ?? '', answer: 'allow' });
  const { body } = await answer;
  expect(body).toMatchObject({ session_id: expect.any(String), proof: expect.any(String) });
  expect(await listed()).toEqual([]);
  expect((await afterWait(wait)).body).toMatchObject({ details: { reason: 'login_unknown' } });
});

test('[AG10] refused: the new browser hears it, and its link is used up', async () => {
  await openBrowser();
  const { url } = await link();
  const { wait } = waitingOf(await openLink(url));
  const [login] = await listed();
  await box.must('answerLogin', { login_id: login?.id ?? '', answer: 'refuse' });
  expect(await afterWait(wait)).toMatchObject({ status: 403, body: { details: { reason: 'login_refused' } } });
  expect(await openLink(url)).toMatchObject({ status: 401 });
});

test("[AG10][AG11] once the open browser is closed: a terminal's link works at once; what waits and what a program asked for goes on waiting", async () => {
  await openBrowser();
  const terminalLink = async () => JSON.parse((await atTerminal(['open', '--no-open', '--json'])).text.trim());
  const [program, opened, unopened] = [await link(), await terminalLink(), await terminalLink()];
  expect([program.mustConfirm, opened.must_confirm]).toEqual([true, true]);
  const first = waitingOf(await openLink(opened.login_url));
  await browserGone();
  expect((await openLink(unopened.login_url)).body).toMatchObject({ session_id: expect.any(String) });
  const second = waitingOf(await openLink(opened.login_url));
  expect(second.is_answerable).toBe(false);
  expect((await afterWait(first.wait)).body).toMatchObject({ details: { reason: 'login_replaced' } });
  waitingOf(await openLink(program.url));
  expect((await listed()).map((one) => one.made_by)).toEqual(['terminal', 'program']);
  for (const { id } of await listed()) await box.must('answerLogin', { login_id: id, answer: 'refuse' });
});

test('[AG12] at a terminal a person lets a browser in: after a minute, which the open browser can use to refuse', async () => {
  await openBrowser();
  const { wait, code } = waitingOf(await openLink((await link()).url));
  const allowed = await atTerminal(['logins', 'allow', code]);
  expect(allowed.text).toMatch(/gets in in (60|5\d) s, unless the open browser refuses it/);
  const [login] = await listed();
  expect(login?.opens_in_ms).toBeGreaterThan(30_000);
  await box.must('answerLogin', { login_id: login?.id ?? '', answer: 'refuse' });
  expect((await afterWait(wait)).body).toMatchObject({ details: { reason: 'login_refused' } });
  const late = await atTerminal(['logins', 'allow', code]);
  expect([late.code, late.text]).toEqual([4, expect.stringContaining('no login with the code')]);
});

test('[AG12] with a password set, allowing asks for it in the page and at the terminal, where it opens at once', async () => {
  await box.must('writePassword', { password: PASSWORD });
  await openBrowser();
  const first = waitingOf(await openLink((await link()).url));
  const login = (await listed())[0]?.id ?? '';
  expect(await box.call('answerLogin', { login_id: login, answer: 'allow' })).toMatchObject({
    body: { code: 'confirmation_required', details: { needs_password: true } },
  });
  const wrong = await atTerminal(['logins', 'allow', first.code], 'wrong password');
  expect([wrong.code, wrong.text]).toEqual([4, expect.stringContaining('not the password')]);
  const right = await atTerminal(['logins', 'allow', first.code], PASSWORD);
  expect([right.code, right.text]).toEqual([0, expect.stringContaining('is let in')]);
  expect((await afterWait(first.wait)).body).toMatchObject({ session_id: expect.any(String) });
  await box.must('writePassword', { current: PASSWORD, password: null });
});

test('[AG12] no program without a terminal lets a browser in, and no token answers', async () => {
  await openBrowser();
  const { code } = waitingOf(await openLink((await link()).url));
  const { allowLogin } = await import('../../src/cli/login-link.ts');
  expect(await allowLogin(box.home, code, null)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  expect(await box.call('listLogins', {}, 'token')).toMatchObject({ status: 403 });
  const [login] = await listed();
  const answer = { login_id: login?.id ?? '', answer: 'allow' as const };
  expect(await box.call('answerLogin', answer, 'token')).toMatchObject({ status: 403 });
  await box.must('answerLogin', { ...answer, answer: 'refuse' });
});
