/** What lies at a path; nothing, when it cannot be looked at. */
import { accessSync, constants } from 'node:fs';
import { stat } from 'node:fs/promises';

export async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
