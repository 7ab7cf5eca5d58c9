/** A page of another user on another port of this machine: what the person's browser hands to it, and what it can spoil. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askForLogin } from '../../src/cli/login-link.ts';
import { openSocket } from '../../src/testing/http-stand.ts';
import { composer, freePort, setStage } from './stage.ts';

const stage = setStage(async () => ({ flags: ['--port', String(await freePort())] }));
let thief: Server;
let thiefUrl: string;
const captured: IncomingMessage['headers'][] = [];
/** What the thief's page runs. */
let script = '';

beforeAll(async () => {
  thief = createServer((request, response) => {
    captured.push(request.headers);
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>thief</title><script>${script}</script>`);
  });
  await new Promise<void>((done) => thief.listen(0, '127.0.0.1', () => done()));
  const address = thief.address();
  thiefUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
});
afterAll(() => new Promise((done) => thief.close(done)));

// First: while another test's page is open, or was a moment ago, a login has to be allowed there.
test('[HT10][PG66] one click on a link: logged in, the token gone from the address and the history, a second tab and a restart the same; logged out everywhere', async () => {
  const { box, browser } = stage;
  const context = await browser.newContext();
  const page = await context.newPage();
  const link = await askForLogin(box.home);
  if (!link.ok) throw new Error(link.error.message);
  // As `localhost` the link works too: the key is made at the one address of the page.
  await page.goto(link.value.url.replace('127.0.0.1', 'localhost'));
  await composer(page).waitFor();
  expect(page.url()).toBe(`${box.url()}/`);
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(await context.cookies()).toEqual([]);
  const back = await page.goBack();
  expect(back === null || !back.url().includes('token')).toBe(true);
  const second = await context.newPage();
  await second.goto(box.url());
  await composer(second).waitFor();
  await box.restart();
  await second.reload();
  await composer(second).waitFor();
  // A browser that is logged in needs no link; to another one a used link gives nothing.
  await second.goto(link.value.url);
  await composer(second).waitFor();
  await page.goto(box.url());
  await composer(page).waitFor();
  await second.getByRole('button', { name: 'Settings', exact: true }).click();
  await second.getByRole('button', { name: 'Log out of this browser' }).click();
  for (const tab of [page, second]) await tab.getByRole('heading', { name: 'Signed out' }).waitFor();
  await second.reload();
  await second.getByRole('heading', { name: 'Signed out' }).waitFor();
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(box.url());
  await stranger.getByText('signalbox open').waitFor();
  await stranger.goto(link.value.url);
  await stranger.getByRole('heading', { name: 'Not logged in' }).waitFor();
  await stranger.context().close();
  await context.close();
});

test('[HT5][PG65] a link to another port asks first, and what the visit hands over opens nothing: no route, no command, no socket', async () => {
  const id = await stage.box.create();
  await stage.box.must('boardPost', { who: 'somebody', message: `[the docs](${thiefUrl})` });
  const visit = await stage.open({ conversationId: id });
  await visit.page.goto(`${stage.box.url()}/board`);
  const link = visit.page.getByRole('link', { name: 'the docs' });
  const dialog = visit.page.getByRole('dialog', { name: 'Open an address nearby?' });
  for (const button of ['middle', 'left'] as const) {
    await link.click({ button });
    await dialog.getByText(thiefUrl).waitFor();
    await visit.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  expect([captured.length, visit.context.pages().length]).toEqual([0, 1]);
  await link.focus();
  await visit.page.keyboard.press('Enter');
  const [other] = await Promise.all([
    visit.context.waitForEvent('page'),
    dialog.getByRole('link', { name: 'Open it in a new tab' }).click(),
  ]);
  await other.waitForLoadState();
  expect(await other.evaluate('[document.referrer, window.opener]')).toEqual(['', null]);
  await other.close();
  expect(captured.length).toBeGreaterThan(0);
  const url = stage.box.url();
  for (const { host: _host, connection: _connection, ...headers } of captured.map(plain)) {
    const all = { ...headers, 'x-signalbox': '1', 'content-type': 'application/json' };
    const read = await fetch(`${url}/api/appserver/status`, { headers: all });
    const exec = await fetch(`${url}/api/appserver/shell/exec`, {
      method: 'POST',
      headers: all,
      body: JSON.stringify({ conversation_id: id, command: 'id' }),
    });
    expect([read.status, exec.status]).toEqual([401, 401]);
    const cookie = headers.cookie ?? '';
    await expect(openSocket(Number(new URL(url).port), { cookie, origin: url })).rejects.toThrow('401');
  }
  expect(captured.every((headers) => headers.cookie === undefined && !headers.referer?.startsWith(url))).toBe(true);
});

test('[HT29] a flood of cookies from another port leaves the page and its login working', async () => {
  const visit = await stage.open();
  const { port } = new URL(stage.box.url());
  // Chromium keeps 180 cookies of 4 KiB for a host; half of them have the name that cookies of ours would have.
  script = `for (let n = 0; n < 180; n += 1)
    document.cookie = (n % 2 ? 'signalbox_${port}' : 'flood' + n) + '=' + 'x'.repeat(4000) + '; Path=' + (n % 2 ? '/'.padEnd(n, 'a') : '/') + '; Max-Age=9999';`;
  const other = await visit.context.newPage();
  await other.goto(thiefUrl);
  const bytes = await other.evaluate<number>('document.cookie.length');
  expect(bytes).toBeGreaterThan(300_000);
  await other.close();
  await visit.reload();
  await composer(visit.page).waitFor();
  const second = await visit.context.newPage();
  await second.goto(stage.box.url());
  await composer(second).waitFor();
});

function plain(headers: IncomingMessage['headers']): Record<string, string> {
  // Without what would only give the thief away.
  const taken = Object.entries(headers).filter(([name]) => !name.startsWith('sec-fetch-'));
  return Object.fromEntries(taken.map(([name, value]) => [name, String(value)]));
}
