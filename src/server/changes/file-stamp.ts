/** What tells whether a file was replaced or written since it was last looked at. */
import { stat } from 'node:fs/promises';

/** Null if there is no such file. */
export async function fileStamp(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? null : `${found.ino}-${found.size}-${found.mtimeNs}`;
}
