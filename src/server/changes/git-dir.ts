/** Finds the git directory that the `.git` of a folder is, or names. */
import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { trimEndOf } from '../../core/text/trim-end.ts';
import { isDirectory } from '../../node/path-kind.ts';
import { readRegular } from '../../node/read-regular.ts';

/** A file that names a folder. */
export const MAX_POINTER_BYTES = 16 * 1024;
const POINTER = 'gitdir: ';

/** A folder itself, or what the file in its place names. Null: neither. */
export async function gitDirAt(path: string): Promise<string | null> {
  if (await isDirectory(path)) return path;
  const real = await realpath(path).catch(() => null);
  const text = real === null ? null : await readRegular(real, MAX_POINTER_BYTES);
  const words = text?.toString('utf8') ?? '';
  const target = words.startsWith(POINTER) ? trimEndOf(words.slice(POINTER.length), '\r\n') : '';
  return real === null || target === '' ? null : resolve(dirname(real), target);
}

/** Whether the `.git` at a path leads to this git directory. */
export async function leadsTo(path: string, gitDir: string): Promise<boolean> {
  const found = await gitDirAt(path);
  const [one, other] = await Promise.all([found ?? '', gitDir].map((each) => realpath(each).catch(() => null)));
  return found !== null && one !== null && one === other;
}
