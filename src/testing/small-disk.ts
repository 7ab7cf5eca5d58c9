/** A real file system that is soon full: a small tmpfs, where mounting one is permitted. For tests only. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

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
