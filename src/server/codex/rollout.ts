/** Reads the file of a thread from its end: what the model was given lately, also by a Codex that is gone. */
import { open } from 'node:fs/promises';
import type { KeptMessage } from '../../core/codex/operations.ts';
import { userMessageOf } from '../../core/codex/rollout-line.ts';
import { errorCode } from '../../node/atomic-file.ts';

/** More than one turn writes before it is settled; a message lies near the end. */
const TAIL_BYTES = 8 * 1024 * 1024;

export async function readKeptMessages(path: string, sinceMs: number): Promise<readonly KeptMessage[] | null> {
  const handle = await open(path, 'r').catch((error: unknown) => errorCode(error));
  // Codex never wrote it: then the model was given nothing.
  if (handle === 'ENOENT') return [];
  if (typeof handle === 'string') return null;
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
    const messages = bytes
      .toString('utf8', 0, bytesRead)
      .split('\n')
      .flatMap((line) => userMessageOf(line) ?? []);
    return messages.filter(({ atMs }) => atMs >= sinceMs);
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
