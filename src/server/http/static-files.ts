/** The built page: a fixed list of files, made once, which holds no secret and is open to everybody. A request picks from the list; it never names a file on disk. */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

interface StaticFile {
  readonly type: string;
  readonly cacheControl: string;
  read(): Promise<Uint8Array>;
}

export interface StaticFiles {
  /** By the exact path of the request. */
  find(path: string): StaticFile | undefined;
}

/** Where the page itself is served; the rest of the list is what it loads. A login link leads to the page too, whose script redeems it. */
export const PAGE_PATHS: readonly string[] = ['/', '/login', '/codex-agent/', '/board', '/fws/'];
/** People leave out the last slash of these; each leads to its page. */
export const SLASHLESS_PATHS: readonly string[] = PAGE_PATHS.filter((path) => /.\/$/.test(path)).map((path) =>
  path.slice(0, -1),
);

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};
/** Vite puts a hash of the content into the names of what it bundles: such a file never changes. */
const HASHED = /^\/assets\/.+-[A-Za-z0-9_-]{8}\.[a-z0-9]{1,10}$/;

/** Without the directory there is no page, and all else works. */
export async function listStaticFiles(root: string): Promise<StaticFiles> {
  const files = new Map<string, StaticFile>();
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(root, file).split(sep).join('/')}`;
    files.set(path, createFile(file, path));
  }
  const page = files.get('/index.html');
  files.delete('/index.html');
  if (page !== undefined) for (const path of PAGE_PATHS) files.set(path, page);
  return { find: (path) => files.get(path) };
}

function createFile(file: string, path: string): StaticFile {
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  /** Kept once read: a new build under a running server must not mix with the old one. */
  let content: Promise<Uint8Array> | null = null;
  return {
    type,
    cacheControl: HASHED.test(path) ? 'private, max-age=31536000, immutable' : 'no-store',
    read() {
      content ??= readFile(file).catch((error: unknown) => {
        content = null;
        throw error;
      });
      return content;
    },
  };
}
