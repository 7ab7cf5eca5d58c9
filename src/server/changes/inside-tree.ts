/**
 * Reaches files of a work tree without ever following a symbolic link. Folders are opened one below the other and held open, so nobody can
 * put a link in their place between the check and the use.
 */
import { createHash } from 'node:crypto';
import { constants, existsSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink } from 'node:fs/promises';
import type { FileSide } from '../../contract/changes.ts';
import { errorCode } from '../../node/atomic-file.ts';
import { openRegular } from '../../node/read-regular.ts';

/** Linux names what lies in an open folder by its descriptor. Elsewhere the path itself is used, after the same checks. */
const HAS_DESCRIPTOR_PATHS = existsSync('/proc/self/fd');
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export interface Place {
  /** The path of an entry of the folder, whatever becomes of the names above it. */
  at(name: Uint8Array | string): Buffer;
  readonly name: Uint8Array;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Null: something on the way is no folder, or is missing and `create` is off. The caller closes the place. */
export async function openPlace(root: string, path: Uint8Array, create: boolean): Promise<Place | null> {
  const parts = splitPath(path);
  const name = parts.pop();
  if (name === undefined) return null;
  let handle = await open(root, FOLDER);
  let folder = Buffer.from(root);
  const inFolder = (entry: Uint8Array): Buffer =>
    Buffer.concat([
      HAS_DESCRIPTOR_PATHS ? Buffer.from(`/proc/self/fd/${handle.fd}/`) : Buffer.concat([folder, SLASH]),
      entry,
    ]);
  for (const part of parts) {
    const next = await openFolder(inFolder(part), create);
    await handle.close();
    if (next === null) return null;
    handle = next;
    folder = Buffer.concat([folder, SLASH, part]);
  }
  const held = handle;
  return {
    name,
    at: (entry) => inFolder(typeof entry === 'string' ? Buffer.from(entry) : entry),
    // Some file systems cannot sync a folder.
    sync: () => held.sync().catch(() => undefined),
    close: () => held.close(),
  };
}

const SLASH = Buffer.from('/');

function splitPath(path: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let start = 0; start <= path.length; ) {
    const found = path.indexOf(0x2f, start);
    const end = found < 0 ? path.length : found;
    parts.push(path.subarray(start, end));
    start = end + 1;
  }
  return parts;
}

async function openFolder(path: Buffer, create: boolean): Promise<FileHandle | null> {
  try {
    return await open(path, FOLDER);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' && create) {
      await mkdir(path);
      return open(path, FOLDER);
    }
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK'].includes(code)) return null;
    throw error;
  }
}

/** What lies at a path: a side of a file as git knows it, nothing, or what git has no entry for. */
export type Found =
  | { readonly kind: 'side'; readonly side: FileSide; readonly stats: Stats }
  | { readonly kind: 'none' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'special' };

export async function readSide(path: Buffer, objectFormat: string): Promise<Found> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null;
    throw error;
  });
  if (stats === null) return { kind: 'none' };
  if (stats.isDirectory()) return { kind: 'folder' };
  if (stats.isSymbolicLink()) {
    const target = await readlink(path, { encoding: 'buffer' });
    const oid = createHash(objectFormat).update(`blob ${target.length}\0`).update(target).digest('hex');
    return { kind: 'side', side: { mode: '120000', oid }, stats };
  }
  if (!stats.isFile()) return { kind: 'special' };
  // Opened without waiting and without following a link: something else may lie here by now.
  const file = await openRegular(path);
  if (file === null) return { kind: 'special' };
  const hash = createHash(objectFormat).update(`blob ${stats.size}\0`);
  for await (const chunk of file.createReadStream()) hash.update(chunk);
  const mode = (stats.mode & 0o100) === 0 ? '100644' : '100755';
  return { kind: 'side', side: { mode, oid: hash.digest('hex') }, stats };
}
