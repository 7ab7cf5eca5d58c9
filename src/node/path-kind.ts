/** What lies at a path; nothing, when it cannot be looked at. */
import { accessSync, constants } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';

export async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}

/** Without `..` and symbolic links. A path that does not exist is only made absolute. */
export function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
