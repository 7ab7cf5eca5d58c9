/** One server per home: the lock is a listening socket, so the kernel frees it with the process and children never inherit it. */

import { createHash } from 'node:crypto';
import { mkdir, realpath, rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { errorCode } from './atomic-file.ts';
import { fitSocketPath } from './socket-path.ts';

export type InstanceLock = { ok: true; release(): Promise<void> } | { ok: false };

/** `file` is for systems without abstract sockets; it can be asked for on Linux to test it. */
export type LockKind = 'abstract' | 'file';

/** The length of `sun_path`. libuv up to 1.46 pads an abstract name to it and later ones do not: a full name is the same for both. */
const ABSTRACT_NAME_BYTES = 108;
/** A live holder's kernel queue answers at once, even when it is stopped; waiting longer means "alive". */
const PROBE_MS = 500;
/** A takeover is two probes and a listen. */
const STALE_GUARD_MS = 10_000;

export async function acquireInstanceLock(homeDir: string, options: { kind?: LockKind } = {}): Promise<InstanceLock> {
  const kind = options.kind ?? (process.platform === 'linux' ? 'abstract' : 'file');
  const server = kind === 'abstract' ? await tryListen(await lockName(homeDir)) : await listenOnFile(homeDir);
  if (server === null) return { ok: false };
  // The lock alone must not keep a finished process alive.
  server.unref();
  return { ok: true, release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** The abstract socket name; any spelling of the same directory gives the same one. */
export async function lockName(homeDir: string): Promise<string> {
  const identity = `${await realpath(homeDir)}\0${process.getuid?.() ?? 0}`;
  const hash = createHash('sha256').update(identity).digest('hex');
  return `\0signalbox-${hash}`.padEnd(ABSTRACT_NAME_BYTES, '-');
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

async function listenOnFile(homeDir: string): Promise<Server | null> {
  const path = await fitSocketPath(join(await realpath(homeDir), 'instance.lock'));
  const server = await tryListen(path);
  if (server !== null || (await answers(path))) return server;
  // The holder was killed and left its socket. Two that see this must not both remove it: the second would remove the first's.
  const guard = `${path}.takeover`;
  if (!(await tryGuard(guard))) return null;
  try {
    if (await answers(path)) return null;
    await rm(path, { force: true });
    return await tryListen(path);
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
