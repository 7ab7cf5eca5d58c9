/** What lies at a path; nothing, when it cannot be looked at. */
import { accessSync, constants } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

export async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}

/** `~` and `~/x` as a shell would read them; null for what is no absolute path. */
export function expandPath(typed: string, home = homedir()): string | null {
  if (typed.includes('\0')) return null;
  const expanded = typed === '' || typed === '~' ? home : typed.startsWith('~/') ? join(home, typed.slice(2)) : typed;
  return isAbsolute(expanded) ? resolve(expanded) : null;
}

/** Without `..` and symbolic links. A path that does not exist is only made absolute. */
export function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

/** Without `..` and symbolic links; null for what is no directory. */
export async function resolveDirectory(path: string): Promise<string | null> {
  const resolved = await realpath(path).catch(() => null);
  return resolved !== null && (await isDirectory(resolved)) ? resolved : null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
