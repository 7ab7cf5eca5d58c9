/** A server that was killed leaves discovery files behind: they name a token and a socket that nobody listens to. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DiscoveryFile, EventThreadId } from '../../contract/external-event.ts';
import { threadFiles } from './thread-files.ts';

/** Takes away those of processes that are no more. Another server may share the folder: its own are left alone. */
export async function sweepDiscovery(codexHome: string, isAlive: (pid: number) => boolean): Promise<number> {
  const names = await readdir(join(codexHome, 'sessions')).catch(() => []);
  let swept = 0;
  for (const name of names) {
    if (!EventThreadId.safeParse(name).success) continue;
    const { discovery } = threadFiles(codexHome, name);
    const text = await readFile(discovery, 'utf8').catch(() => null);
    const pid = text === null ? null : pidOf(text);
    if (pid === null || isAlive(pid)) continue;
    await rm(discovery, { force: true });
    swept += 1;
  }
  return swept;
}

function pidOf(text: string): number | null {
  try {
    return DiscoveryFile.safeParse(JSON.parse(text)).data?.pid ?? null;
  } catch {
    return null;
  }
}
