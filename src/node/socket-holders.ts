/** Finds the process that holds a socket, by the inode of the socket, among the open files of all processes. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readProcess } from './ancestry.ts';

/** Between two slices of the scan other requests are served. */
const PROCESSES_PER_SLICE = 40;

/**
 * Calls and removes from `wanted` (by inode) whatever has a holder; returns processes of ours whose files cannot be read. The newest processes
 * first: whoever has just connected was mostly just started.
 */
export async function findHolders(wanted: Map<string, (pid: number) => void>): Promise<readonly number[]> {
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
      const inode = inodeOf(pid, name);
      const found = inode === null ? undefined : wanted.get(inode);
      if (inode === null || found === undefined) continue;
      wanted.delete(inode);
      found(firstHolder(pid, inode));
      if (wanted.size === 0) break;
    }
  }
  return hidden;
}

export const nextTurn = (): Promise<void> => new Promise((done) => setImmediate(done));

/**
 * The topmost ancestor without a gap that holds the socket too. Between fork and exec a child has all files of its parent, so a child that Codex
 * is just starting for a command seems to hold the connections of Codex.
 */
function firstHolder(pid: number, inode: string): number {
  let holder = pid;
  for (;;) {
    const parent = readProcess(holder)?.parentPid ?? 0;
    const files = parent === 0 ? 'denied' : listFiles(parent);
    if (files === 'denied' || !files.some((name) => inodeOf(parent, name) === inode)) return holder;
    holder = parent;
  }
}

function listFiles(pid: number): readonly string[] | 'denied' {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES' ? 'denied' : [];
  }
}

/** The inode of an open file that is a socket; null for every other file. */
export function inodeOf(pid: number | 'self', name: string): string | null {
  try {
    const target = readlinkSync(`/proc/${pid}/fd/${name}`);
    return target.startsWith('socket:[') ? target.slice('socket:['.length, -1) : null;
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
