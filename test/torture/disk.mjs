/** Servers on a disk that fails: one that is full, and one whose fdatasync fails. Each can be turned on and off while the server runs. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createHost } from './host.mjs';

/** Enough for the home of many rounds, little enough to be filled at once. */
const DISK_BYTES = 48 * 1024 * 1024;

/** The home on a small tmpfs that is filled to the last byte; or why that is impossible here. */
export async function openFullDisk(dir, modelUrl) {
  const home = join(dir, 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=700`, 'tmpfs', home], { stdio: 'ignore' });
  } catch {
    rmSync(dir, { recursive: true, force: true });
    return 'mounting a tmpfs is not permitted';
  }
  const filler = join(home, 'filler');
  const disk = {
    'full-disk-on': async () => {
      try {
        writeFileSync(filler, Buffer.alloc(DISK_BYTES));
      } catch {
        // The disk is full: that is what was wanted.
      }
    },
    'full-disk-off': async () => rmSync(filler, { force: true }),
    heal: async () => rmSync(filler, { force: true }),
    close: () => {
      execFileSync('umount', ['-l', home], { stdio: 'ignore' });
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return { host: createHost({ dir, modelUrl, keepHome: true }), disk };
}

const SYNC_SOURCE = resolve(import.meta.dirname, '../fixtures/faulty-sync.c');

/** fsync and fdatasync of the server fail; or why that is impossible here. */
export async function openFailingSync(dir, modelUrl) {
  // The loader splits its variable at spaces, which our own path may have.
  const place = mkdtempSync(join(tmpdir(), 'signalbox-sync-'));
  const library = join(place, 'sync.so');
  const flag = join(dir, 'sync-fails');
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SYNC_SOURCE, '-ldl'], { stdio: 'ignore' });
  } catch {
    for (const one of [dir, place]) rmSync(one, { recursive: true, force: true });
    return 'there is no C compiler';
  }
  const host = createHost({ dir, modelUrl, env: { LD_PRELOAD: library, RIG_SYNC_FAILS: flag } });
  const heal = async () => {
    if (!existsSync(flag)) return;
    rmSync(flag, { force: true });
    // A log whose sync failed cannot know what is on disk: only a new start reads it again.
    await host.kill();
  };
  return {
    host,
    disk: {
      'failing-sync-on': async () => writeFileSync(flag, ''),
      'failing-sync-off': heal,
      heal,
      close: () => rmSync(place, { recursive: true, force: true }),
    },
  };
}
