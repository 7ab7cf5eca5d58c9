/** Ends what the shells below a base directory left running: tests that leave some alone on purpose must not leave them to the machine. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ShellRecord } from '../contract/shellspec.ts';
import { systemClock } from '../node/clock.ts';
import { isSameProcess } from '../node/process-identity.ts';
import { endTree } from '../node/process-tree.ts';

export async function readShellRecords(baseDir: string): Promise<ShellRecord[]> {
  const names = await readdir(baseDir, { recursive: true }).catch(() => []);
  const metas = names.filter((name) => /\/meta\/[^/]+\.json$/.test(name) && !/\/\.[^/]+$/.test(name));
  const texts = await Promise.all(metas.map((name) => readFile(join(baseDir, name), 'utf8').catch(() => 'null')));
  return texts.flatMap((text) => ShellRecord.safeParse(JSON.parse(text)).data ?? []);
}

export async function endLeftShells(baseDir: string): Promise<void> {
  for (const { pid, start_time } of await readShellRecords(baseDir)) {
    if (pid === null || start_time === null || !isSameProcess({ pid, start_time })) continue;
    await endTree({ root: { pid, start_time }, mark: null }, { graceMs: 0, clock: systemClock });
  }
}
