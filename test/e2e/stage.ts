/** One box and one browser for a file of page tests, and the few words those tests are written in. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { RouteCall } from '../../src/contract/routes.ts';
import type { ModelEvent } from '../../src/demo/model-event.ts';
import { type Box, type BoxOptions, openBox } from '../../src/testing/box.ts';
import {
  DESKTOP,
  openPage,
  type PageOptions,
  PHONE,
  sharedBrowser,
  twoFrames,
  type Visit,
} from '../../src/testing/browser.ts';

export interface Stage {
  readonly box: Box;
  readonly browser: Browser;
  /** Closed when the test ends, however it ends. */
  open(options?: PageOptions): Promise<Visit>;
  /** A conversation of its own, on a page. */
  fresh(settings?: RouteCall<'createConversation'>, options?: PageOptions): Promise<Fresh>;
}

interface Fresh {
  readonly id: string;
  readonly visit: Visit;
  readonly page: Page;
}

/** Built up before the tests of the file and what they prepare, taken down after them. */
export function setStage(options: BoxOptions | (() => Promise<BoxOptions>) = {}): Stage {
  let built: { readonly box: Box; readonly browser: Browser } | null = null;
  const visits: Visit[] = [];
  const now = () => {
    if (built === null) throw new Error('the stage stands from beforeAll to afterAll');
    return built;
  };
  beforeAll(async () => {
    const boxOptions = typeof options === 'function' ? await options() : options;
    const [box, browser] = await Promise.all([openBox(boxOptions), sharedBrowser()]);
    built = { box, browser };
  });
  afterEach(async () => {
    await Promise.all(visits.splice(0).map((visit) => visit.close()));
  });
  afterAll(async () => {
    await built?.box.close();
  });

  async function open(pageOptions: PageOptions = {}): Promise<Visit> {
    const visit = await openPage(now().browser, now().box, pageOptions);
    visits.push(visit);
    return visit;
  }
  return {
    get box() {
      return now().box;
    },
    get browser() {
      return now().browser;
    },
    open,
    async fresh(settings = {}, pageOptions = {}) {
      const id = await now().box.create(settings);
      const visit = await open({ ...pageOptions, conversationId: id });
      return { id, visit, page: visit.page };
    },
  };
}

/** Codex's configuration with a small MCP server of ours. */
export const TINY_MCP = `[mcp_servers.tiny]
command = "${process.execPath}"
args = ["${join(import.meta.dirname, '../fixtures/tiny-mcp.mjs')}"]
`;

/** A server that comes back must be where the page looks for it. */
export function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** A busy machine may be slow; a state that never comes is told by this limit. */
const EVENTUALLY_MS = 10_000;
export function eventually<T>(read: () => Promise<T>): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, { timeout: EVENTUALLY_MS });
}

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const transcript = (page: Page): Locator => page.getByRole('region', { name: 'Transcript' });
export const row = (page: Page, role: string): Locator => transcript(page).locator(`[data-role="${role}"]`);
export const dock = (page: Page): Locator => page.getByRole('region', { name: 'Codex asks' });

/** What a person reads, row by row. */
export async function readRows(page: Page): Promise<readonly string[]> {
  return transcript(page)
    .locator('[data-role]')
    .evaluateAll((rows) => rows.map((one) => `${one.getAttribute('data-role')}: ${one.innerText}`));
}

/** Answers of the model for one message, found by a word that only this message holds. */
export function script(box: Box, ...answers: readonly (readonly ModelEvent[])[]): string {
  const word = `m${randomUUID().slice(0, 8)}`;
  box.model.push(...answers.map((events) => ({ match: word, events })));
  return word;
}

export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

/** A fresh conversation on a page, with a message sent that the model answers as given. */
export async function begin(
  stage: Stage,
  settings: RouteCall<'createConversation'>,
  ...answers: readonly (readonly ModelEvent[])[]
) {
  const word = script(stage.box, ...answers);
  const fresh = await stage.fresh(settings);
  await say(fresh.page, `do ${word}`);
  return { ...fresh, word };
}

/** The n-th turn of the conversation has ended and the page shows it. */
export async function turnsDone(page: Page, n = 1): Promise<void> {
  await row(page, 'status')
    .nth(n - 1)
    .waitFor();
}

/** The same rows after a reload, and again as narrow as a phone, where nothing may stick out sideways. Keeps a picture of each. */
export async function expectSameLater(visit: Visit, name: string): Promise<void> {
  const { page } = visit;
  const live = await readRows(page);
  expect(live.length).toBeGreaterThan(0);
  await visit.shot(`${name}-live`);
  await visit.reload();
  await eventually(() => readRows(page)).toEqual(live);
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'light' });
  await twoFrames(page);
  expect((await readRows(page)).length).toBe(live.length);
  await visit.shot(`${name}-phone`);
  expect(await sideways(page)).toEqual([]);
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'dark' });
  expectClean(visit);
}

/** The same request after a reload, and on a phone, where nothing of it sticks out and all its buttons are in view. */
export async function expectAskedLater(visit: Visit, name: string): Promise<void> {
  const { page } = visit;
  const asked = () => dock(page).innerText();
  const live = await asked();
  await visit.shot(`${name}-live`);
  await visit.reload();
  await dock(page).waitFor();
  await eventually(asked).toBe(live);
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'light' });
  await twoFrames(page);
  expect(await sideways(page)).toEqual([]);
  const bottoms = await dock(page)
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
  expect(Math.max(...bottoms)).toBeLessThanOrEqual(PHONE.height);
  await visit.shot(`${name}-phone`);
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'dark' });
}

/** Names of what makes the page wider than its window. */
export function sideways(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && one.offsetParent !== null)
    .filter((one) => { for (let up = one.parentElement; up; up = up.parentElement)
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX)) return false; return true; })
    .map((one) => one.tagName + '.' + one.className)`);
}

export function expectClean(...visits: readonly Visit[]): void {
  for (const { problems } of visits) expect(problems).toEqual({ console: [], page: [], csp: [], foreign: [] });
}

export { DESKTOP, PHONE };
