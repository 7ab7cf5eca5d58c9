/**
 * The folders of Signalbox and Codex inside a work tree, such as a home directory under git. Their files hold tokens and keys, so no
 * checkpoint, difference or status has them. Pure.
 */
import { isInside } from '../conversations/settings.ts';
import { pathText } from './path-text.ts';

/** Relative to the top of the work tree; null if the whole work tree lies inside such a folder. `folders`: real paths. */
export function closedWithin(root: string, folders: readonly string[]): readonly string[] | null {
  if (folders.some((folder) => isInside(folder, root))) return null;
  const prefix = root.endsWith('/') ? root : `${root}/`;
  return folders.filter((folder) => folder.startsWith(prefix)).map((folder) => folder.slice(prefix.length));
}

/** `path`: relative to the top, as git lists it; the path of a folder may end in a slash. */
export function isClosedPath(path: Uint8Array, closed: readonly string[]): boolean {
  // A path in a closed folder may itself be no UTF-8, and is quoted then: the bytes are compared.
  return closed.some((folder) => {
    const bytes = new TextEncoder().encode(folder);
    const isBelow = path.length === bytes.length || path[bytes.length] === SLASH;
    return isBelow && pathText(path.subarray(0, bytes.length)) === pathText(bytes);
  });
}

const SLASH = 0x2f;

/** Arguments of git that name one file, or all files, without those of closed folders. Need `GIT_LITERAL_PATHSPECS=0` where any is closed. */
export function openPathspecs(path: string | undefined, closed: readonly string[]): readonly string[] {
  // The separator also stands alone: a file can have the name of a commit, and git refuses a name that could be both.
  if (closed.length === 0) return path === undefined ? ['--'] : ['--', path];
  const wanted = path === undefined ? ':(top)' : `:(top,literal)${path}`;
  return ['--', wanted, ...closed.map((folder) => `:(top,exclude,literal)${folder}`)];
}
