/** Which process holds the lock on a file. */
import { readFileSync, statSync } from 'node:fs';

/** Null where nobody holds it, there is no such file, or the system does not tell. */
export function lockHolder(path: string): number | null {
  try {
    const { ino } = statSync(path);
    return findHolder(readFileSync('/proc/locks', 'utf8'), ino);
  } catch {
    return null;
  }
}

/** `14: FLOCK  ADVISORY  WRITE 15679 fe:00:5938324 0 EOF`; lines with `->` wait for a lock. */
export function findHolder(locks: string, inode: number): number | null {
  for (const line of locks.split('\n')) {
    const [, pid, ino] = /^\d+: FLOCK\s+\S+\s+WRITE\s+(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /.exec(line) ?? [];
    if (Number(ino) === inode && Number(pid) > 0) return Number(pid);
  }
  return null;
}
