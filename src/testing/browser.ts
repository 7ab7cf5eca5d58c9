/** Chromium against a box: pages that are logged in, that say when they are synchronized, and that record whatever went wrong. For tests only. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Box } from './box.ts';

const SHOTS = join(resolve(import.meta.dirname, '../..'), 'test-results/shots');
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Shorter than a test's own limit, so that the failure names what was waited for. */
const WAIT_MS = 12_000;

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** A browser of its own, with flags of its own. */
export function openBrowser(extraFlags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [...FLAGS, ...extraFlags],
  });
}

let shared: Promise<Browser> | null = null;

/** The one browser of this worker; it ends with the worker. Each page has a context of its own, so that nothing is shared but the program. */
export async function sharedBrowser(): Promise<Browser> {
  const known = await shared?.catch(() => null);
  if (!known?.isConnected()) shared = openBrowser();
  return shared as Promise<Browser>;
}

export interface PageOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly conversationId?: string;
  /** A phone has a finger: Enter is a new line there. */
  readonly isTouch?: boolean;
  /** Runs in the page before its own scripts. */
  readonly probe?: string;
}

/** What must stay empty on every page. */
export interface Problems {
  readonly console: string[];
  readonly page: string[];
  readonly csp: string[];
  readonly foreign: string[];
}

export type Visit = Awaited<ReturnType<typeof openPage>>;

const TELL_CSP = `addEventListener('securitypolicyviolation', (e) =>
  window.__csp(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample));`;

export async function openPage(browser: Browser, box: Box, options: PageOptions = {}) {
  const context = await browser.newContext({
    viewport: options.viewport ?? DESKTOP,
    colorScheme: options.colorScheme ?? 'dark',
    hasTouch: options.isTouch ?? false,
    isMobile: options.isTouch ?? false,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(WAIT_MS);
  // In the page under test, but before anything is recorded: a second page would cost a renderer process of its own.
  const page = await context.newPage();
  await plantKey(page, box);
  const problems: Problems = { console: [], page: [], csp: [], foreign: [] };
  await context.exposeFunction('__csp', (text: string) => problems.csp.push(text));
  await context.addInitScript(TELL_CSP);
  if (options.probe !== undefined) await context.addInitScript(options.probe);
  record(page, box, problems);
  const synced = countSynchronized(page);

  async function settled(conversationId: string | undefined, before: number): Promise<void> {
    if (conversationId === undefined) {
      await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    } else await synced.beyond(conversationId, before);
    await twoFrames(page);
  }

  async function go(conversationId?: string): Promise<void> {
    const before = synced.of(conversationId);
    await page.goto(`${box.url()}/${conversationId === undefined ? '' : `#/c/${conversationId}`}`);
    await settled(conversationId, before);
  }

  async function reload(): Promise<void> {
    const id = /conv_[0-9a-f]{32}/.exec(page.url())?.[0];
    const before = synced.of(id);
    await page.reload();
    await settled(id, before);
  }

  await go(options.conversationId);
  return {
    page,
    context,
    problems,
    go,
    reload,
    /** Resolves once the page has heard more than `before` times that the conversation is synchronized. */
    synced,
    shot: async (name: string): Promise<void> => {
      await mkdir(SHOTS, { recursive: true });
      await page.screenshot({ path: join(SHOTS, `${name}.png`) });
    },
    close: () => context.close(),
  };
}

/** Gives the context the session of the box, as a browser that once opened a login link has it. */
export async function logIn(context: BrowserContext, box: Box): Promise<void> {
  const page = await context.newPage();
  await plantKey(page, box);
  await page.close();
}

/** On a page of our origin that runs no script, and names its icon, so that the browser asks for no other. */
async function plantKey(page: Page, box: Box): Promise<void> {
  await page.goto(`${box.url()}/offline.html`);
  const { id, jwk } = box.session().stored;
  await page.evaluate(`crypto.subtle.importKey('jwk', ${JSON.stringify(jwk)}, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
    .then((key) => new Promise((done, fail) => {
      const opening = indexedDB.open('signalbox', 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore('session');
      opening.onerror = () => fail(opening.error);
      opening.onsuccess = () => {
        const writing = opening.result.transaction('session', 'readwrite');
        writing.objectStore('session').put({ id: ${JSON.stringify(id)}, key }, 'current');
        writing.oncomplete = () => { opening.result.close(); done(null); };
        writing.onabort = () => fail(writing.error);
      };
    }))`);
}

function record(page: Page, box: Box, problems: Problems): void {
  page.on('pageerror', (error) => problems.page.push(String(error)));
  page.on('console', (message) => {
    // The browser reports the first half of a confirmation as a failed request.
    const isAsked = message.text().includes('the server responded with a status of 428');
    if (message.type() === 'error' && !isAsked) problems.console.push(message.text());
  });
  const isForeign = (url: string) =>
    !/^(?:data|blob|about):/.test(url) && new URL(url).host !== new URL(box.url()).host;
  page.on('request', (request) => {
    if (isForeign(request.url())) problems.foreign.push(request.url());
  });
  page.on('websocket', (socket) => {
    if (isForeign(socket.url())) problems.foreign.push(socket.url());
  });
  page.on('popup', (popup) => problems.foreign.push(`popup ${popup.url()}`));
  page.on('dialog', (dialog) => {
    problems.page.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
}

/** Counts the `synchronized` frames per conversation: the page's own sign that nothing is missing. */
function countSynchronized(page: Page) {
  const counts = new Map<string, number>();
  const waiters = new Set<() => void>();
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const id = /"type":"synchronized","conversation_id":"(\w+)"/.exec(String(payload))?.[1];
      if (id === undefined) return;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      for (const wake of waiters) wake();
    }),
  );
  const of = (id: string | undefined): number => counts.get(id ?? '') ?? 0;
  return {
    of,
    beyond: (id: string, before: number): Promise<void> =>
      new Promise((done, fail) => {
        const look = () => {
          if (of(id) <= before) return;
          clearTimeout(timer);
          waiters.delete(look);
          done();
        };
        const timer = setTimeout(() => {
          waiters.delete(look);
          fail(new Error(`${id} was not synchronized (${page.url()})`));
        }, WAIT_MS);
        waiters.add(look);
        look();
      }),
  };
}

/** What was folded is painted: frames are folded in one animation frame and seen by the next. */
export async function twoFrames(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))');
}
