/** Other sites in the same browser: a name that resolves to us, and a frame around us. */
import { createServer } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Box, openBox } from '../../src/testing/box.ts';
import { logIn, openBrowser } from '../../src/testing/browser.ts';
import { eventually } from './stage.ts';

let box: Box;
let browser: Browser;
beforeAll(async () => {
  [box, browser] = await Promise.all([openBox(), openBrowser(['--host-resolver-rules=MAP evil.test 127.0.0.1'])]);
});
afterAll(async () => {
  await browser.close();
  await box.close();
});

test('[PG20] a foreign name that resolves to this machine is refused, page and socket', async () => {
  const page = await browser.newPage();
  const port = new URL(box.url()).port;
  const answer = await page.goto(`http://evil.test:${port}/`);
  expect([403, 421]).toContain(answer?.status());
  expect(await page.locator('#root').count()).toBe(0);
  const isOpened = await page.evaluate(`new Promise((done) => {
    const socket = new WebSocket('ws://evil.test:${port}/ws/appserver');
    socket.onopen = () => done(true);
    socket.onerror = () => done(false);
  })`);
  expect(isOpened).toBe(false);
  await page.close();
});

test('[PG20] a page of another origin cannot frame ours', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<iframe src="${box.url()}/"></iframe>`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const context = await browser.newContext();
  await logIn(context, box);
  const page = await context.newPage();
  const refusals: string[] = [];
  page.on('console', (message) => refusals.push(message.text()));
  await page.goto(`http://evil.test:${port}/`);
  await eventually(async () => refusals.join('\n')).toMatch(/frame/i);
  for (const frame of page.frames().slice(1)) expect(await frame.locator('#root').count()).toBe(0);
  await context.close();
  await new Promise((done) => server.close(done));
});
