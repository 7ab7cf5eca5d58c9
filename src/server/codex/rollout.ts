/** Reads the file of a thread from its end: what the model was given lately, also by a Codex that is gone. */
import { open } from 'node:fs/promises';
import type { KeptMessage } from '../../core/codex/operations.ts';
import { taskOf, turnTriggerOf, userMessageOf } from '../../core/codex/rollout-line.ts';
import { errorCode } from '../../node/atomic-file.ts';

/** More than one turn writes before it is settled; a message lies near the end. */
const TAIL_BYTES = 8 * 1024 * 1024;
/** As many as the turns that are shown of a sub-agent. */
const MAX_TASKS = 20;

export async function readKeptMessages(path: string, sinceMs: number): Promise<readonly KeptMessage[] | null> {
  const lines = await readTail(path);
  if (lines === null) return null;
  return lines.flatMap((line) => userMessageOf(line) ?? []).filter(({ atMs }) => atMs >= sinceMs);
}

/** Empty for a file that cannot be read. */
export async function readTurnTriggers(path: string): Promise<ReadonlyMap<string, string>> {
  const lines = (await readTail(path)) ?? [];
  return new Map(lines.flatMap((line) => turnTriggerOf(line) ?? []));
}

/** Empty for a file that cannot be read. */
export async function readTasks(path: string, agentPath: string): Promise<readonly (string | null)[]> {
  const lines = (await readTail(path)) ?? [];
  return lines.flatMap((line) => taskOf(line, agentPath)).slice(-MAX_TASKS);
}

/** The last lines of a file; none if it was never written, null if it cannot be read. */
async function readTail(path: string): Promise<readonly string[] | null> {
  const handle = await open(path, 'r').catch((error: unknown) => errorCode(error));
  // Codex never wrote it: then the model was given nothing.
  if (handle === 'ENOENT') return [];
  if (typeof handle === 'string') return null;
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
    return bytes.toString('utf8', 0, bytesRead).split('\n');
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
