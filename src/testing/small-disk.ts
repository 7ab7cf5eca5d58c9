/** A real file system that is soon full: a small tmpfs, where mounting one is permitted. For tests only. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Tried, and not asked: root in a container may not mount either. */
export function canMount(): boolean {
  const at = mkdtempSync(join(tmpdir(), 'sb-tmpfs-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at], { stdio: 'ignore' });
    execFileSync('umount', ['-l', at]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(at, { recursive: true });
  }
}

/** Null where it is not permitted. It is unmounted however the test ends. */
export function mountSmall(kilobytes: number): string | null {
  const at = mkdtempSync(join(tmpdir(), 'sb-tmpfs-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', at], { stdio: 'ignore' });
  } catch {
    rmSync(at, { recursive: true });
    return null;
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', at]);
    rmSync(at, { recursive: true });
  });
  return at;
}
