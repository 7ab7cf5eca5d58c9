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

interface Lookup {
  readonly ends: TcpEnds;
  readonly attempt: number;
  readonly done: (peer: TcpPeer) => void;
}

/** Look-ups that wait for the next scan: one scan serves all of them, so a client that opens a thousand connections costs a few scans. */
let waiting: Lookup[] = [];
let isScanning = false;

export function findTcpPeer(ends: TcpEnds): Promise<TcpPeer> {
  if (process.platform !== 'linux') return Promise.resolve({ kind: 'unsupported' });
  return new Promise((done) => {
    waiting.push({ ends, attempt: 1, done });
    if (!isScanning) void scanAll();
  });
}

async function scanAll(): Promise<void> {
  isScanning = true;
  // Requests that arrived in the same turn of the event loop are served by the same scan.
  await nextTurn();
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    await scan(batch).catch(() => {
      for (const { done } of batch) done({ kind: 'unsupported' });
    });
  }
  isScanning = false;
}

async function scan(batch: readonly Lookup[]): Promise<void> {
  const tables = readTables();
  if (tables.length === 0) {
    for (const { done } of batch) done({ kind: 'unsupported' });
    return;
  }
  const indexes = tables.map(indexTable);
  const uid = process.getuid?.();
  const wanted = new Map<string, Lookup[]>();
  for (const lookup of batch) {
    const row = indexes.flatMap((index) => findInIndex(index, lookup.ends) ?? [])[0];
    if (row === undefined) lookup.done({ kind: 'gone' });
    else if (row.uid !== uid && uid !== 0) lookup.done({ kind: 'other_user', uid: row.uid });
    else wanted.set(`socket:[${row.inode}]`, [...(wanted.get(`socket:[${row.inode}]`) ?? []), lookup]);
  }
  const hidden = await resolveHolders(wanted);
  for (const lookup of [...wanted.values()].flat()) {
    if (hidden.length > 0) lookup.done({ kind: 'hidden', pids: hidden });
    else if (lookup.attempt >= TRIES) lookup.done({ kind: 'gone' });
    else waiting.push({ ...lookup, attempt: lookup.attempt + 1 });
  }
}

interface Row {
  readonly from: string;
  readonly to: string;
  readonly inode: string;
  readonly uid: number;
}

function readTables(): readonly string[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => {
    try {
      return [readFileSync(path, 'utf8')];
    } catch {
      return [];
    }
  });
}

/** By both ports: the address is compared at the look-up, since an IPv4 address ends the IPv6 form it is mapped to. */
function indexTable(table: string): ReadonlyMap<string, readonly Row[]> {
  const index = new Map<string, Row[]>();
  for (const line of table.split('\n')) {
    const [, from = '', to = '', , , , , uid = '', , inode = ''] = line.trim().split(/\s+/);
    // Inode 0: the process has let go of the socket.
    if (inode === '' || inode === '0') continue;
    const key = `${from.slice(-4)} ${to.slice(-4)}`;
    index.set(key, [...(index.get(key) ?? []), { from, to, inode, uid: Number(uid) }]);
  }
  return index;
}

/** The client's own socket: the row whose local end is our remote end. */
function findInIndex(index: ReadonlyMap<string, readonly Row[]>, ends: TcpEnds): Row | null {
  const [client, server] = [hexPort(ends.remotePort), hexPort(ends.localPort)];
  const local = `${hexAddress(ends.remoteAddress)}:${client}`;
  return (index.get(`${client} ${server}`) ?? []).find(({ from }) => from.endsWith(local)) ?? null;
}

/** Exported for its test: the text of `/proc/net/tcp` or `tcp6`. */
export function findInTable(table: string, ends: TcpEnds): { readonly inode: string; readonly uid: number } | null {
  const row = findInIndex(indexTable(table), ends);
  return row === null ? null : { inode: row.inode, uid: row.uid };
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

/**
 * Answers and removes from `wanted` whatever has a holder; returns processes of ours whose files cannot be read. The newest processes
 * first: whoever has just connected was mostly just started.
 */
async function resolveHolders(wanted: Map<string, Lookup[]>): Promise<readonly number[]> {
  const uid = process.getuid?.();
  const hidden: number[] = [];
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isSafeInteger(pid))
    .sort((a, b) => b - a);
  for (const [index, pid] of pids.entries()) {
    if (wanted.size === 0) break;
    if (index % PROCESSES_PER_SLICE === PROCESSES_PER_SLICE - 1) await nextTurn();
    const files = listFiles(pid);
    if (files === 'denied') {
      if (isOf(pid, uid)) hidden.push(pid);
      continue;
    }
    for (const name of files) {
      const target = targetOf(pid, name);
      const found = target === null ? undefined : wanted.get(target);
      if (target === null || found === undefined) continue;
      wanted.delete(target);
      for (const { done } of found) done({ kind: 'process', pid });
      if (wanted.size === 0) break;
    }
  }
  return hidden;
}

const nextTurn = (): Promise<void> => new Promise((done) => setImmediate(done));

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
