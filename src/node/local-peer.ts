/**
 * Which process of this machine is at the other end of a local connection, over TCP or a Unix socket. Node has no SO_PEERCRED, so the client's
 * socket is looked up in the kernel's tables and then among the open files of processes.
 */
import type { Socket } from 'node:net';
import { isRecord } from '../core/text/is-record.ts';
import { findHolders, inodeOf, nextTurn } from './socket-holders.ts';
import { readTcpTable, type TcpEnds } from './tcp-table.ts';
import { readUnixTable } from './unix-table.ts';

export type LocalPeer =
  | { readonly kind: 'process'; readonly pid: number }
  /** Its open files cannot be read: it is one of these, which all run as us. */
  | { readonly kind: 'hidden'; readonly pids: readonly number[] }
  | { readonly kind: 'other_user'; readonly uid: number }
  /** The client has closed its socket, so it will not read an answer either. */
  | { readonly kind: 'gone' }
  /** Of a Unix socket: the client is in another network namespace, such as a container's. */
  | { readonly kind: 'elsewhere' }
  /** The system does not tell: no `/proc`; for a Unix socket no `ss` (iproute2). */
  | { readonly kind: 'unsupported' };

type End = { readonly over: 'tcp'; readonly ends: TcpEnds } | { readonly over: 'unix'; readonly inode: string };

/** A socket can pass from a process to its child while we look; who passes it on so often that it is never seen is not answered. */
const TRIES = 3;

interface Lookup {
  readonly end: End;
  readonly attempt: number;
  readonly done: (peer: LocalPeer) => void;
}

/** Look-ups that wait for the next scan: one scan serves all of them, so a client that opens a thousand connections costs a few scans. */
let waiting: Lookup[] = [];
let isScanning = false;

/** `socket` is the server's end of the connection. */
export function findLocalPeer(socket: Socket): Promise<LocalPeer> {
  if (process.platform !== 'linux') return Promise.resolve({ kind: 'unsupported' });
  const end = endOf(socket);
  if (end === null) return Promise.resolve({ kind: 'gone' });
  return new Promise((done) => {
    waiting.push({ end, attempt: 1, done });
    if (!isScanning) void scanAll();
  });
}

/** Null if our end is closed already. */
function endOf(socket: Socket): End | null {
  const { localPort, remoteAddress, remotePort } = socket;
  if (localPort !== undefined && remoteAddress !== undefined && remotePort !== undefined) {
    return { over: 'tcp', ends: { localPort, remoteAddress, remotePort } };
  }
  // Node tells the file descriptor of a connection nowhere else.
  const handle: unknown = Reflect.get(socket, '_handle');
  const fd = isRecord(handle) ? handle.fd : undefined;
  const inode = localPort === undefined && typeof fd === 'number' ? inodeOf('self', String(fd)) : null;
  return inode === null ? null : { over: 'unix', inode };
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
  const clientOf = await readTables(batch);
  const held = new Map<string, Lookup[]>();
  for (const lookup of batch) {
    const client = clientOf(lookup.end);
    if (typeof client === 'string') held.set(client, [...(held.get(client) ?? []), lookup]);
    else lookup.done(client);
  }
  const wanted = new Map(
    [...held].map(([inode, lookups]) => [
      inode,
      (pid: number) => {
        for (const { done } of lookups) done({ kind: 'process', pid });
      },
    ]),
  );
  const hidden = await findHolders(wanted);
  for (const lookup of [...wanted.keys()].flatMap((inode) => held.get(inode) ?? [])) {
    if (hidden.length > 0) lookup.done({ kind: 'hidden', pids: hidden });
    else if (lookup.attempt >= TRIES) lookup.done({ kind: 'gone' });
    else waiting.push({ ...lookup, attempt: lookup.attempt + 1 });
  }
}

/** The inode of the client's socket, or the answer where there is none. Each table is read only if a connection of its kind is looked up. */
async function readTables(batch: readonly Lookup[]): Promise<(end: End) => string | LocalPeer> {
  const tcp = batch.some(({ end }) => end.over === 'tcp') ? readTcpTable() : null;
  const unix = batch.some(({ end }) => end.over === 'unix') ? await readUnixTable() : null;
  const uid = process.getuid?.();
  return (end) => {
    if (end.over === 'unix') {
      const peer = unix?.peerOf(end.inode) ?? null;
      if (peer === null) return { kind: 'unsupported' };
      return peer === 'closed' ? { kind: 'gone' } : peer === 'elsewhere' ? { kind: 'elsewhere' } : peer;
    }
    if (tcp === null) return { kind: 'unsupported' };
    const row = tcp.find(end.ends);
    if (row === null) return { kind: 'gone' };
    return row.uid !== uid && uid !== 0 ? { kind: 'other_user', uid: row.uid } : row.inode;
  };
}
