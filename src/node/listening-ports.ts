/** The TCP ports on which processes of this user listen, from the kernel's tables. Linux only: elsewhere none is found. */
import { readdirSync, readFileSync } from 'node:fs';
import { inodeOf } from './socket-holders.ts';

/** State of a listening socket in `/proc/net/tcp`. */
const LISTENING = '0A';

/** Reads the tables once; the answer is asked for the processes of each program. Sorted, each port once. */
export function readListeningPorts(): (pids: readonly number[]) => readonly number[] {
  const ports = new Map(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => [...parseListening(readText(path))]));
  return (pids) => {
    const found = new Set<number>();
    if (ports.size === 0) return [];
    for (const pid of pids) {
      for (const name of openFiles(pid)) {
        const port = ports.get(inodeOf(pid, name) ?? '');
        if (port !== undefined) found.add(port);
      }
    }
    return [...found].sort((a, b) => a - b);
  };
}

/** Exported for its test: inode → port of each listening socket. */
export function parseListening(table: string): ReadonlyMap<string, number> {
  const ports = new Map<string, number>();
  for (const line of table.split('\n').slice(1)) {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const port = Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16);
    if (state === LISTENING && inode !== '' && inode !== '0' && port > 0) ports.set(inode, port);
  }
  return ports;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function openFiles(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    // It ended, or hides its files.
    return [];
  }
}
