/**
 * Opens a regular file of a conversation's directory for reading. The file that is opened lies inside the directory: symbolic links
 * that lead out are refused, also when a link is put in place while the path is checked. The folders of Signalbox and Codex stay closed,
 * since a token that may read conversations must not read other tokens or the login of Codex.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isInside } from '../../core/conversations/settings.ts';
import { errorCode } from '../../node/atomic-file.ts';
import { expandPath } from '../../node/path-kind.ts';

export interface OpenedFile {
  readonly handle: FileHandle;
  /** Without symbolic links. */
  readonly path: string;
  /** From the directory on. */
  readonly relative: string;
  readonly size: number;
}

export interface Root {
  /** The directory of the conversation. */
  readonly directory: string;
  /** Real paths of folders whose files are never opened. */
  readonly closed: readonly string[];
}

/** O_NONBLOCK: opening a pipe must not wait for a writer. O_NOFOLLOW: the last part of the real path is no link any more. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Views of the kernel, not files of a project: `/proc/PID/environ` has the tokens that a process was given, also those of Codex. */
const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev'];

/** The caller closes the handle. */
export async function openInside({ directory, closed }: Root, named: string): Promise<Result<OpenedFile>> {
  const wanted = absolutePath(directory, named);
  if (wanted === null) return fail('invalid_request', 'the path cannot be read: it holds a NUL character');
  try {
    const root = await realpath(directory);
    const path = await realpath(wanted);
    const refusal = refuse(root, closed, path, named);
    if (refusal !== null) return refusal;
    return await openChecked(path, root, closed, named);
  } catch (error) {
    return describe(named, errorCode(error));
  }
}

async function openChecked(
  path: string,
  root: string,
  closed: readonly string[],
  named: string,
): Promise<Result<OpenedFile>> {
  const before = await lstat(path);
  // Looked at before it is opened: opening a device can have an effect.
  if (!before.isFile()) return notAFile(named, before.isDirectory());
  const handle = await open(path, FLAGS);
  try {
    const [stats, real] = [await handle.stat(), await pathOfHandle(handle, path)];
    const refusal = stats.isFile() ? refuse(root, closed, real, named) : notAFile(named, stats.isDirectory());
    if (refusal !== null) {
      await handle.close();
      return refusal;
    }
    return ok({ handle, path: real, relative: real.slice(root.length).replace(/^\//, ''), size: stats.size });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Where the opened file lies now. Linux tells it exactly; elsewhere the path is resolved again and must lead to the same file. */
async function pathOfHandle(handle: FileHandle, path: string): Promise<string> {
  const told = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => null);
  if (told !== null) return told;
  const real = await realpath(path);
  const [opened, found] = [await handle.stat(), await lstat(real)];
  if (opened.ino !== found.ino || opened.dev !== found.dev) throw Object.assign(new Error(path), { code: 'ENOENT' });
  return real;
}

function absolutePath(directory: string, named: string): string | null {
  if (named.includes('\0')) return null;
  return named.startsWith('~/') ? expandPath(named, homedir()) : resolve(directory, named);
}

function refuse(root: string, closed: readonly string[], path: string, named: string): Result<never> | null {
  if (!isInside(root, path))
    return fail('forbidden', `${named} is outside the directory of this conversation, ${root}`, { reason: 'outside' });
  if (SYSTEM_FOLDERS.some((folder) => isInside(folder, path)))
    return fail('forbidden', `${named} is no file of a project, but a view of the system`, { reason: 'closed' });
  if (closed.some((folder) => isInside(folder, path)))
    return fail('forbidden', `${named} belongs to Signalbox or Codex itself`, { reason: 'closed' });
  return null;
}

function notAFile(named: string, isDirectory: boolean): Result<never> {
  const what = isDirectory ? 'a directory' : 'no regular file';
  return fail('invalid_request', `${named} is ${what}`, { reason: isDirectory ? 'directory' : 'special' });
}

function describe(named: string, code: string): Result<never> {
  if (code === 'EACCES' || code === 'EPERM') return fail('forbidden', `${named} may not be read`);
  if (code === 'ENOENT' || code === 'ENOTDIR') return fail('not_found', `there is no file ${named}`);
  if (code === 'ENAMETOOLONG' || code === 'ELOOP') return fail('invalid_request', `${named} cannot be read (${code})`);
  return fail('not_found', `${named} cannot be read (${code})`);
}
