/**
 * Removes a folder with everything in it, and nothing outside: a program that goes on in the folder can put a link in the place of a subfolder
 * at any moment, and git and `rm` then remove what lies behind it. Folders are opened without following links and emptied through the open folder.
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rmdir, unlink } from 'node:fs/promises';
import { errorCode } from '../../node/atomic-file.ts';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Linux names what lies in an open folder by its descriptor. Elsewhere the path itself is used. */
const HAS_DESCRIPTOR_PATHS = existsSync('/proc/self/fd');
/** A program that makes files as fast as they are removed must not keep this going for ever. */
const MAX_ROUNDS = 20;
/** Each level holds one open file. Real trees have some fifty. */
const MAX_DEPTH = 256;
const GONE = ['ENOENT', 'ENOTDIR', 'ELOOP'];
/** Something was put into the folder, or in its place, in the same moment. */
const CHANGED = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR', 'EPERM'];

type OnFolder = (path: string) => void;

/** `onFolder`: called after a folder was seen and before it is opened; a test puts a link in its place there. */
export const removeTree = (path: string, onFolder: OnFolder = () => undefined): Promise<void> =>
  removeFolder(Buffer.from(path), Buffer.from(path), onFolder);

/** `path`: by which the system finds it · `shown`: by which a person does. */
async function removeFolder(path: Buffer, shown: Buffer, onFolder: OnFolder, depth = 0): Promise<void> {
  if (depth > MAX_DEPTH) throw new Error(`${shown.toString()} is nested deeper than ${MAX_DEPTH} folders`);
  for (let round = 1; ; round += 1) {
    onFolder(shown.toString());
    const folder = await openFolder(path);
    try {
      // What has taken its place and is no folder, such as a link, is removed itself.
      if (folder === null) await unlink(path);
      else await empty(folder, path, shown, onFolder, depth);
      if (folder !== null) await rmdir(path);
      return;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      if (!CHANGED.includes(errorCode(error)) || round >= MAX_ROUNDS) throw error;
    } finally {
      await folder?.close();
    }
  }
}

async function empty(
  folder: FileHandle,
  path: Buffer,
  shown: Buffer,
  onFolder: OnFolder,
  depth: number,
): Promise<void> {
  const inside = HAS_DESCRIPTOR_PATHS ? Buffer.from(`/proc/self/fd/${folder.fd}`) : path;
  for (const name of await readdir(inside, { encoding: 'buffer' })) {
    const entry = Buffer.concat([inside, SLASH, name]);
    const found = await lstat(entry).catch(() => null);
    if (found?.isDirectory() === true)
      await removeFolder(entry, Buffer.concat([shown, SLASH, name]), onFolder, depth + 1);
    // One that is a folder by now is found in the next round.
    else await unlink(entry).catch(ignore(['ENOENT', 'EISDIR', 'EPERM']));
  }
}

const SLASH = Buffer.from('/');

const openFolder = (path: Buffer): Promise<FileHandle | null> =>
  open(path, FOLDER).catch((error: unknown) => {
    if (GONE.includes(errorCode(error))) return null;
    throw error;
  });

const ignore =
  (codes: readonly string[]) =>
  (error: unknown): void => {
    if (!codes.includes(errorCode(error))) throw error;
  };
