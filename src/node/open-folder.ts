/** A folder that is held open, so that what is done in it is done in that folder, whatever takes its name meanwhile. */
import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface OpenFolder {
  /** Names below this path are in the folder itself. */
  readonly path: string;
  close(): Promise<void>;
}

/** Null when there is no folder at this path: nothing, a file, or a symbolic link, wherever it points. */
export async function openFolder(path: string): Promise<OpenFolder | null> {
  if (process.platform !== 'linux') return checkFolder(path);
  const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => null);
  return handle === null ? null : { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
}

/** Without /proc there is no path of an open folder: a link is refused when it is looked at, not when it comes a moment later. */
async function checkFolder(path: string): Promise<OpenFolder | null> {
  const found = await lstat(path).catch(() => null);
  if (found === null || !found.isDirectory()) return null;
  const real = await realpath(path).catch(() => null);
  const parent = await realpath(dirname(path)).catch(() => null);
  if (real === null || parent === null || real !== join(parent, basename(path))) return null;
  return { path: real, close: async () => undefined };
}
