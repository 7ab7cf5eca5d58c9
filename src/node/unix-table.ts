/**
 * The kernel's table of Unix sockets, from which the client's end of a connection is told. `/proc/net/unix` does not say which sockets belong
 * together; the kernel tells it over netlink only, which Node cannot open. `ss` (iproute2) can.
 */
import { execFile } from 'node:child_process';
import { isExecutable } from './path-kind.ts';

const SS = ['/usr/bin/ss', '/bin/ss', '/usr/sbin/ss', '/sbin/ss'];
/** About 100,000 sockets. A machine with more is not told apart from one without `ss`. */
const MAX_BYTES = 16 * 1024 * 1024;
/** It takes 3 ms of processor time. */
const LIMIT_MS = 5_000;

export interface UnixTable {
  /**
   * The inode of the socket that is connected to the one with this inode. `closed`: the other end has been closed. `elsewhere`: the other end is in
   * another network namespace, or a name in the table pretends to be a row.
   */
  peerOf(inode: string): string | 'closed' | 'elsewhere';
}

/** Null where it is not installed. It is looked for only where a system keeps its programs, not along PATH. */
export const findSs = (places: readonly string[] = SS): string | null => places.find(isExecutable) ?? null;

/** Null where the system does not tell: no `ss`, or it failed. */
export async function readUnixTable(): Promise<UnixTable | null> {
  const program = findSs();
  if (program === null) return null;
  const options = { maxBuffer: MAX_BYTES, timeout: LIMIT_MS, env: { LC_ALL: 'C' }, encoding: 'utf8' } as const;
  return new Promise((done) => {
    execFile(program, ['-xnH'], options, (error, text) => done(error === null ? parseUnixTable(text) : null));
  });
}

/** Exported for its test: what `ss -xnH` prints. A row ends with both ends: `PATH INODE PATH INODE`. */
export function parseUnixTable(text: string): UnixTable {
  const peers = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    const words = line.trim().split(/\s+/);
    const [own, peer] = [words.at(-3), words.at(-1)];
    if (own === undefined || peer === undefined) continue;
    const known = peers.get(own);
    if (known === undefined) peers.set(own, new Set([peer]));
    else known.add(peer);
  }
  /** The name of a socket is its maker's choice and can contain lines that look like rows, but it cannot remove the row of another socket. */
  const onlyPeerOf = (inode: string): string | null => {
    const [peer, another] = peers.get(inode) ?? [];
    return peer === undefined || another !== undefined || !/^\d+$/.test(peer) ? null : peer;
  };
  return {
    peerOf(inode) {
      const peer = onlyPeerOf(inode);
      if (peer === '0') return 'closed';
      return peer !== null && onlyPeerOf(peer) === inode ? peer : 'elsewhere';
    },
  };
}
