/** Small private files replaced whole (old or new content, never a mixture), and the private directories they live in. */

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** `code` is the system's (`ENOSPC`, `EACCES`, …), or ours: `ENOTDIR`, `not_ours`. */
export class FileError extends Error {
  readonly code: string;
  readonly path: string;

  constructor(code: string, path: string, cause?: unknown) {
    super(`${code}: ${path}`, { cause });
    this.name = 'FileError';
    this.code = code;
    this.path = path;
  }
}

export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: { mode?: number } = {},
): Promise<void> {
  const mode = options.mode ?? 0o600;
  const directory = dirname(path);
  const temporary = join(directory, `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`);
  try {
    await writeNew(temporary, content, mode);
    await rename(temporary, path);
    await syncDirectory(directory);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw new FileError(errorCode(error), path, error);
  }
}

/** Makes a rename or a creation in `path` outlast a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } catch (error) {
    // Some network and FUSE file systems cannot sync a directory; there is nothing better to do on them.
    if (!['EINVAL', 'ENOTSUP'].includes(errorCode(error))) throw error;
  } finally {
    await handle.close();
  }
}

/** Creates what is missing of `path` with 0700, whatever the umask; directories that were there above it are left alone. */
export async function ensurePrivateDir(path: string): Promise<{ created: boolean; repaired: boolean }> {
  try {
    const created = await makeDirectory(path);
    return { created, repaired: !created && (await repair(path)) };
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(errorCode(error), path, error);
  }
}

export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'unknown';
}

async function writeNew(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle: FileHandle = await open(path, flags, mode);
  try {
    await handle.chmod(mode);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Answers false when something (a directory or not) is already there. */
async function makeDirectory(path: string): Promise<boolean> {
  try {
    await mkdir(path, 0o700);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return false;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeDirectory(dirname(path));
    return makeDirectory(path);
  }
  await chmod(path, 0o700);
  return true;
}

async function repair(path: string): Promise<boolean> {
  // In a shared folder like /tmp somebody else's link could make us chmod and fill a directory of their choice.
  const link = await lstat(path);
  if (!isOurs(link.uid)) throw new FileError('not_ours', path);
  const found = link.isSymbolicLink() ? await stat(path) : link;
  if (!found.isDirectory()) throw new FileError('ENOTDIR', path);
  if (!isOurs(found.uid)) throw new FileError('not_ours', path);
  if ((found.mode & 0o077) === 0) return false;
  await chmod(path, 0o700);
  return true;
}

function isOurs(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
