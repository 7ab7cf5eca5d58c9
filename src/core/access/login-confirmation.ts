/**
 * When a new login has to be allowed in a browser that is open, and for how long it waits. Pure; `server/http/login-requests.ts` keeps the
 * logins that wait.
 */

/**
 * Who asked for a login link. terminal: a process with a controlling terminal whose first process is shown to be a person's. program: any
 * other process that is shown not to be an agent's (a launcher, a service, `ssh host command`). server: printed by `signalbox serve`.
 */
export type LinkMaker = 'terminal' | 'program' | 'server';

/** How long a new browser waits for an answer: time to walk to the other browser, less than a link lives. */
export const LOGIN_WAIT_MS = 5 * 60_000;
/** How long an open browser can refuse a login that was allowed at a terminal: time to see the card and to read it. */
const TERMINAL_WAIT_MS = 60_000;
/** A page that reloads or signs a new proof has no connection for this long at most; a new login must not slip in meanwhile. */
const RECONNECT_MS = 5_000;

export interface Presence {
  /** Connections of pages that are logged in. */
  readonly open: number;
  /** When the last of them closed; null if there was none since the start. */
  readonly leftMs: number | null;
}

export function isBrowserOpen({ open, leftMs }: Presence, nowMs: number): boolean {
  return open > 0 || (leftMs !== null && nowMs - leftMs < RECONNECT_MS);
}

/**
 * Whether the link itself has to be confirmed whenever it is opened. Otherwise a program could get a link now and open it as soon as the
 * person closes the browser.
 */
export function isLinkBound(maker: LinkMaker, hasBrowser: boolean): boolean {
  return maker === 'program' && hasBrowser;
}

/** Milliseconds until a login that was allowed at a terminal gets in. The password of the person needs no wait. */
export function terminalDelayMs(of: {
  readonly askedMs: number;
  readonly nowMs: number;
  readonly hasPassword: boolean;
}) {
  return of.hasPassword ? 0 : Math.max(0, of.askedMs + TERMINAL_WAIT_MS - of.nowMs);
}

/** What a browser says of itself, in words of ours only: the text comes from whoever asks. */
export function describeBrowser(userAgent: string): string {
  const text = userAgent.slice(0, MAX_AGENT_CHARS);
  const browser = BROWSERS.find(([, sign]) => text.includes(sign))?.[0];
  const system = SYSTEMS.find(([, sign]) => text.includes(sign))?.[0];
  if (browser === undefined) return 'An unknown program';
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** User agents have about 120 characters. */
const MAX_AGENT_CHARS = 400;
/** In this order: most browsers also name the ones that come later. */
const BROWSERS = [
  ['Edge', 'Edg/'],
  ['Opera', 'OPR/'],
  ['Firefox', 'Firefox/'],
  ['Chrome', 'Chrome/'],
  ['Safari', 'Safari/'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['macOS', 'Mac OS X'],
  ['ChromeOS', 'CrOS'],
  ['Linux', 'Linux'],
] as const;
