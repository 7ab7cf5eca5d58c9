/** Whether a file of any size holds a text; false for one that cannot be read. */
import { createReadStream } from 'node:fs';

export async function fileHolds(path: string, text: string, chunkBytes?: number): Promise<boolean> {
  /** The end of what was read, where a text may begin that ends in the next chunk. */
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: chunkBytes })) {
      const seen = rest + String(chunk);
      if (seen.includes(text)) return true;
      rest = seen.slice(-text.length);
    }
  } catch {
    return false;
  }
  return false;
}
