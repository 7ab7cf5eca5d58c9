/** The kernel's table of TCP connections, from which the client's end of a connection over loopback is told. */
import { readFileSync } from 'node:fs';

/** Both ends as the server's own socket names them. */
export interface TcpEnds {
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}

interface Row {
  readonly from: string;
  readonly to: string;
  readonly inode: string;
  readonly uid: number;
}

export interface TcpTable {
  /** The client's own socket; null if the client has closed it. */
  find(ends: TcpEnds): { readonly inode: string; readonly uid: number } | null;
}

/** Null where the system does not tell. */
export function readTcpTable(): TcpTable | null {
  const texts = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => {
    try {
      return [readFileSync(path, 'utf8')];
    } catch {
      return [];
    }
  });
  return texts.length === 0 ? null : parseTcpTable(texts);
}

/** Exported for its test: the texts of `/proc/net/tcp` and `tcp6`. */
export function parseTcpTable(texts: readonly string[]): TcpTable {
  const indexes = texts.map(indexTable);
  return {
    find(ends) {
      const [row] = indexes.flatMap((index) => findInIndex(index, ends) ?? []);
      return row === undefined ? null : { inode: row.inode, uid: row.uid };
    },
  };
}

/** By both ports: the address is compared at the look-up, since an IPv4 address ends the IPv6 form it is mapped to. */
function indexTable(table: string): ReadonlyMap<string, readonly Row[]> {
  const index = new Map<string, Row[]>();
  for (const line of table.split('\n')) {
    const [, from = '', to = '', , , , , uid = '', , inode = ''] = line.trim().split(/\s+/);
    // Inode 0: the process has let go of the socket.
    if (inode === '' || inode === '0') continue;
    const key = `${from.slice(-4)} ${to.slice(-4)}`;
    const rows = index.get(key);
    const row = { from, to, inode, uid: Number(uid) };
    if (rows === undefined) index.set(key, [row]);
    else rows.push(row);
  }
  return index;
}

/** The client's own socket: the row whose local end is our remote end. */
function findInIndex(index: ReadonlyMap<string, readonly Row[]>, ends: TcpEnds): Row | null {
  const [client, server] = [hexPort(ends.remotePort), hexPort(ends.localPort)];
  const local = `${hexAddress(ends.remoteAddress)}:${client}`;
  return (index.get(`${client} ${server}`) ?? []).find(({ from }) => from.endsWith(local)) ?? null;
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
