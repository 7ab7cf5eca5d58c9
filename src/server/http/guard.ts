/**
 * Who may knock: pure checks of Host, Origin, fetch metadata and path, made before any other code sees a request; and the headers
 * every answer carries. `listen.ts` asks for HTTP and WebSocket alike, so neither has a way round.
 */
import { type Failure, fail, ok, type Result } from '../../contract/result.ts';

/** A request before anything was made of it. `rawHeaders` as Node gives them: name, value, name, value. */
export interface Knock {
  readonly method: string;
  /** The request target exactly as sent; a parsed URL would already have its dots and slashes tidied. */
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly kind: 'http' | 'websocket';
}

/** Sent with every answer, whatever it says. There is no CORS header, on purpose. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; worker-src 'self'; manifest-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Longer than any address we know with its query; the rest is an attack on whoever logs it. */
const MAX_TARGET_CHARS = 8 * 1024;
/** Browsers send about twenty, a proxy on the way a few more; more of them only cost time. */
const MAX_HEADERS = 200;
const MAX_HEADER_CHARS = 16 * 1024;
/** Every path we serve is made of these, so nothing needs decoding: `//`, dots as a segment, `%2f` and `;` never match. */
const CANONICAL_PATH = /^(?:\/[A-Za-z0-9_~:-][A-Za-z0-9._~:-]*)*\/?$/;
/** Fetch metadata of a browser that is not led here by another site. */
const OWN_SITE = new Set(['same-origin', 'none']);

/** Host, then Origin and fetch metadata, then the spelling of the path. Null: come in. */
export function refuseKnock(knock: Knock, port: number): Failure | null {
  if (knock.rawHeaders.length > MAX_HEADERS * 2 || charsBesideCookies(knock.rawHeaders) > MAX_HEADER_CHARS) {
    const message = `a request may have ${MAX_HEADERS} headers and, beside cookies, ${MAX_HEADER_CHARS} characters in them`;
    return { code: 'headers_too_large', message };
  }
  const [host, ...moreHosts] = valuesOf(knock.rawHeaders, 'host');
  if (host === undefined || moreHosts.length > 0 || !isOwnHost(host, port)) {
    return { code: 'forbidden', message: `the Host header must be one of ${ownHosts(port).join(', ')}` };
  }
  const origins = valuesOf(knock.rawHeaders, 'origin');
  if (origins.some((origin) => origin !== `http://${host}`) || origins.length > 1) {
    return { code: 'forbidden', message: 'requests of other origins are refused' };
  }
  const path = pathOf(knock.target);
  if (isForeignFetch(knock, path)) return { code: 'forbidden', message: 'requests made by other sites are refused' };
  if (knock.target.length > MAX_TARGET_CHARS || knock.target.includes('#') || !isCanonicalPath(path)) {
    return { code: 'invalid_request', message: 'the path is not spelled as this server spells its paths' };
  }
  return null;
}

export const NOT_JSON: Failure = {
  code: 'unsupported_media_type',
  message: 'the Content-Type must be application/json',
};

export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function isJson(contentType: string | undefined): boolean {
  return /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i.test(contentType ?? '');
}

/** The part of a request target before its query. */
export function pathOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? target : target.slice(0, at);
}

/** What to listen on for a host a person wrote. Only loopback: the server has no TLS, and whoever reaches it may run commands. */
export function parseBindHost(host: string): Result<'127.0.0.1' | '::1'> {
  if (host === '127.0.0.1' || host === 'localhost') return ok('127.0.0.1');
  if (host === '::1') return ok('::1');
  return fail(
    'invalid_request',
    `cannot listen on ${JSON.stringify(host)}: Signalbox is reachable from this machine only. ` +
      'Use 127.0.0.1, localhost or ::1, and an SSH tunnel to reach it from elsewhere.',
    { host, allowed: ['127.0.0.1', 'localhost', '::1'] },
  );
}

function ownHosts(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
}

function isOwnHost(host: string, port: number): boolean {
  return ownHosts(port).includes(host);
}

function isCanonicalPath(path: string): boolean {
  return path.startsWith('/') && CANONICAL_PATH.test(path);
}

/** Another site may lead a person here by a link, to a page; it may not make their browser ask for anything else. */
function isForeignFetch(knock: Knock, path: string): boolean {
  const sites = valuesOf(knock.rawHeaders, 'sec-fetch-site');
  if (sites.every((site) => OWN_SITE.has(site))) return false;
  const isNavigation =
    knock.kind === 'http' &&
    isReading(knock.method) &&
    valuesOf(knock.rawHeaders, 'sec-fetch-mode').join() === 'navigate' &&
    valuesOf(knock.rawHeaders, 'sec-fetch-dest').join() === 'document';
  return !isNavigation || path.startsWith('/api/');
}

/** Other programs on this host decide what cookies a browser sends us, so only `listen.ts` limits those, by what browsers keep. */
function charsBesideCookies(rawHeaders: readonly string[]): number {
  let chars = 0;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    chars += name.length + (name.toLowerCase() === 'cookie' ? 0 : (rawHeaders[at + 1] ?? '').length);
  }
  return chars;
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1];
    if (value !== undefined && rawHeaders[at]?.toLowerCase() === name) values.push(value);
  }
  return values;
}
