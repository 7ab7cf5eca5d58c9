/** Chooses where a Unix socket may live: Node 20 silently truncates longer paths and listens on a different file. */

import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { ensurePrivateDir, FileError } from './atomic-file.ts';

/** `sun_path` less its closing NUL: 108 on Linux, 104 on the BSDs and macOS. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** `preferred` when it fits, else a short path made from its hash, in a directory only we can enter. */
export async function fitSocketPath(preferred: string, options: { fallbackDir?: string } = {}): Promise<string> {
  if (fits(preferred)) return preferred;
  const hash = createHash('sha256').update(preferred).digest('hex').slice(0, 16);
  const roots = [options.fallbackDir, process.env.XDG_RUNTIME_DIR, tmpdir(), '/tmp'];
  for (const root of roots) {
    if (root === undefined || !isAbsolute(root)) continue;
    const path = join(root, `signalbox-${process.getuid?.() ?? 0}`, `${hash}.sock`);
    if (!fits(path)) continue;
    await ensurePrivateDir(dirname(path));
    return path;
  }
  throw new FileError('ENAMETOOLONG', preferred);
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES;
}
