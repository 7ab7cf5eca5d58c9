/** Reads files that somebody else may have put in place: a pipe would be waited for, and a device has no end. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode } from './atomic-file.ts';

const NOT_THERE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'];
const CHUNK_BYTES = 64 * 1024;

/** Null: no regular file; a symbolic link is none. The caller closes the file. */
export const openRegular = (path: string | Buffer): Promise<FileHandle | null> =>
  openWith(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);

/** Null: no regular file, also behind links; one that cannot be read, or that has more bytes, whatever its size says. */
export async function readRegular(path: string | Buffer, maxBytes: number): Promise<Buffer | null> {
  const file = await openWith(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    if (errorCode(error) === 'EACCES') return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const chunks: Buffer[] = [];
    for (let bytes = 0; ; ) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return Buffer.concat(chunks);
      bytes += bytesRead;
      if (bytes > maxBytes) return null;
      chunks.push(chunk.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

async function openWith(path: string | Buffer, flags: number): Promise<FileHandle | null> {
  const file = await open(path, flags).catch((error: unknown) => {
    if (NOT_THERE.includes(errorCode(error))) return null;
    throw error;
  });
  if (file === null || (await file.stat()).isFile()) return file;
  await file.close();
  return null;
}
