/**
 * One server per home: the lock is a listening socket inside the home, where no other user can reach it. The kernel says whether its holder
 * lives, also while the holder is stopped, and children never inherit it. An abstract socket would need no file, but every user of the
 * machine can read its name and take it while the server is down.
 */

import { createHash, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { errorCode } from './atomic-file.ts';
import { fitSocketPath } from './socket-path.ts';

export type InstanceLock = { ok: true; release(): Promise<void> } | { ok: false };

/**
 * Who may remove the socket that a killed holder left. name: whoever listens on an abstract name, which the kernel frees with its process.
 * folder: whoever made a folder, for systems without abstract names; it can be asked for on Linux to test it.
 */
export type GuardKind = 'name' | 'folder';

/** The length of `sun_path`. libuv up to 1.46 pads an abstract name to it and later ones do not: a full name is the same for both. */
const ABSTRACT_NAME_BYTES = 108;
/** A live holder's kernel queue answers at once, even when it is stopped; waiting longer means "alive". */
const PROBE_MS = 500;
/** A takeover is two probes and a listen. */
const STALE_GUARD_MS = 10_000;
/** Each try ends because another process has just taken the home over; a second one finds its lock. */
const MAX_TRIES = 5;

export async function acquireInstanceLock(homeDir: string, options: { guard?: GuardKind } = {}): Promise<InstanceLock> {
  const guard = options.guard ?? (process.platform === 'linux' ? 'name' : 'folder');
  const path = await fitSocketPath(join(await realpath(homeDir), 'instance.lock'));
  const server = await listenOn(path, guard);
  if (server === null) return { ok: false };
  // Whatever the umask: the home keeps others out, and this says so too.
  await chmod(path, 0o600);
  // The lock alone must not keep a finished process alive.
  server.unref();
  return { ok: true, release: () => close(server) };
}

async function listenOn(path: string, guard: GuardKind): Promise<Server | null> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const server = await tryListen(path);
    if (server !== null || (await answers(path))) return server;
    // The holder was killed and left its socket. Two that see this must not both remove it: the second would remove the first's.
    const taken = guard === 'name' ? await withName(path) : await withFolder(path);
    if (taken !== 'again') return taken;
  }
  return null;
}

/** Removes the socket of a dead holder and listens in its place. Only one process does this at a time. */
async function takeOver(path: string): Promise<Server | null> {
  if (await answers(path)) return null;
  await rm(path, { force: true });
  return tryListen(path);
}

/** `again`: another process finished its takeover meanwhile, and the name was not its any more. */
async function withName(path: string): Promise<Server | null | 'again'> {
  const keyPath = `${path}.key`;
  const key = await readOrMakeKey(keyPath);
  const guard = await tryListen(abstractName(key));
  if (guard === null) return null;
  try {
    // Whoever has taken over removes the key while it holds the name.
    if ((await readKey(keyPath)) !== key) return 'again';
    const server = await takeOver(path);
    // A name is used once: while it is in use, every user of the machine can read it.
    await rm(keyPath, { force: true });
    return server;
  } finally {
    await close(guard);
  }
}

const readKey = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

/** The same for all that ask at once: the first to put its key there wins. */
async function readOrMakeKey(path: string): Promise<string> {
  const known = await readKey(path);
  if (known !== null) return known;
  const key = randomBytes(32).toString('hex');
  const own = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(own, key, { mode: 0o600, flag: 'wx' });
    // Unlike a rename, a link never replaces what is there.
    await link(own, path);
    return key;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return (await readKey(path)) ?? key;
  } finally {
    await rm(own, { force: true });
  }
}

function abstractName(key: string): string {
  const hash = createHash('sha256').update(key).digest('hex');
  return `\0signalbox-${hash}`.padEnd(ABSTRACT_NAME_BYTES, '-');
}

async function withFolder(path: string): Promise<Server | null> {
  const guard = `${path}.takeover`;
  if (!(await tryGuard(guard))) return null;
  try {
    return await takeOver(path);
  } finally {
    await rm(guard, { recursive: true, force: true });
  }
}

/** False while another process takes over; a guard that a crash left behind is cleared. */
async function tryGuard(guard: string): Promise<boolean> {
  const found = await stat(guard).catch(() => null);
  if (found !== null && Date.now() - found.mtimeMs > STALE_GUARD_MS) await rm(guard, { recursive: true, force: true });
  return mkdir(guard).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    },
  );
}

/** Null when the address is taken. */
function tryListen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => {
      if (errorCode(error) === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    // `exclusive`: in a cluster worker the listener must be ours, not shared by the primary.
    server.listen({ path, exclusive: true }, () => resolve(server));
  });
}

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (isAlive: boolean): void => {
      socket.destroy();
      resolve(isAlive);
    };
    socket.setTimeout(PROBE_MS, () => settle(true));
    socket.once('connect', () => settle(true));
    socket.once('error', (error) => settle(!['ECONNREFUSED', 'ENOENT'].includes(errorCode(error))));
  });
}
