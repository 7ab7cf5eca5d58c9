/**
 * Which process of this machine is at the other end of a TCP connection over loopback. Node has no SO_PEERCRED, so the client's socket is looked
 * up in `/proc/net/tcp` and then among the open files of processes.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Both ends as the server's own socket names them. */
export interface TcpEnds {
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}

export type TcpPeer =
  | { readonly kind: 'process'; readonly pid: number }
  /** Its open files cannot be read: it is one of these, which all run as us. */
  | { readonly kind: 'hidden'; readonly pids: readonly number[] }
  | { readonly kind: 'other_user'; readonly uid: number }
  /** The client has closed its socket, so it will not read an answer either. */
  | { readonly kind: 'gone' }
  /** The system does not tell (no `/proc`). */
  | { readonly kind: 'unsupported' };

/** Between two slices of the scan other requests are served. */
const PROCESSES_PER_SLICE = 40;
/** A socket can pass from a process to its child while we look; who passes it on so often that it is never seen is not answered. */
const TRIES = 3;

export async function findTcpPeer(ends: TcpEnds): Promise<TcpPeer> {
  if (process.platform !== 'linux') return { kind: 'unsupported' };
  for (let attempt = 1; ; attempt += 1) {
    const row = findRow(ends);
    if (row === 'unsupported') return { kind: 'unsupported' };
    if (row === null) return { kind: 'gone' };
    if (row.uid !== process.getuid?.() && process.getuid?.() !== 0) return { kind: 'other_user', uid: row.uid };
    const found = await findHolder(row.inode);
    if (found.pid !== null) return { kind: 'process', pid: found.pid };
    if (found.hidden.length > 0) return { kind: 'hidden', pids: found.hidden };
    if (attempt === TRIES) return { kind: 'gone' };
  }
}

interface Row {
  readonly inode: string;
  readonly uid: number;
}

/** The client's own socket: the row whose local end is our remote end. */
function findRow({ localPort, remoteAddress, remotePort }: TcpEnds): Row | 'unsupported' | null {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => {
    try {
      return [readFileSync(path, 'utf8')];
    } catch {
      return [];
    }
  });
  if (tables.length === 0) return 'unsupported';
  for (const table of tables) {
    const row = findInTable(table, { localPort, remoteAddress, remotePort });
    if (row !== null) return row;
  }
  return null;
}

/** Exported for its test: the text of `/proc/net/tcp` or `tcp6`. */
export function findInTable(table: string, { localPort, remoteAddress, remotePort }: TcpEnds): Row | null {
  const local = `${hexAddress(remoteAddress)}:${hexPort(remotePort)}`;
  const remote = `:${hexPort(localPort)}`;
  for (const line of table.split('\n')) {
    const [, from = '', to = '', , , , , uid = '', , inode = ''] = line.trim().split(/\s+/);
    // An IPv4 address ends the IPv6 form it is mapped to. Inode 0: the process has let go of the socket.
    if (from.endsWith(local) && to.endsWith(remote) && inode !== '0') return { inode, uid: Number(uid) };
  }
  return null;
}

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/** The kernel writes each 32-bit word of an address in the order of this machine, which is little-endian wherever Node runs. */
function hexAddress(address: string): string {
  const bare = address.replace(/^::ffff:/i, '');
  if (!bare.includes(':')) return bare.split('.').reverse().map(hexByte).join('');
  // Of IPv6 only loopback reaches us.
  return bare === '::1' ? `${'0'.repeat(24)}01000000` : '?';
}

const hexByte = (byte: string): string => Number(byte).toString(16).toUpperCase().padStart(2, '0');

/** The newest processes first: whoever has just connected was mostly just started. */
async function findHolder(inode: string): Promise<{ readonly pid: number | null; readonly hidden: readonly number[] }> {
  const wanted = `socket:[${inode}]`;
  const uid = process.getuid?.();
  const hidden: number[] = [];
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isSafeInteger(pid))
    .sort((a, b) => b - a);
  for (const [index, pid] of pids.entries()) {
    if (index % PROCESSES_PER_SLICE === PROCESSES_PER_SLICE - 1) await new Promise<void>((done) => setImmediate(done));
    const files = listFiles(pid);
    if (files === 'denied') {
      if (isOf(pid, uid)) hidden.push(pid);
    } else if (files.some((name) => targetOf(pid, name) === wanted)) {
      return { pid, hidden };
    }
  }
  return { pid: null, hidden };
}

function listFiles(pid: number): readonly string[] | 'denied' {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES' ? 'denied' : [];
  }
}

function targetOf(pid: number, name: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/fd/${name}`);
  } catch {
    return null;
  }
}

/** A process that hides its files belongs to root in `/proc`; its status still says whose it is. */
function isOf(pid: number, uid: number | undefined): boolean {
  try {
    return new RegExp(`^Uid:\\s*${uid}\\s`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
