/** `run/first-start.json`: when the first server of this home began since the machine was started. Whatever an agent started is younger. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FirstStart } from '../../contract/run-files.ts';
import { readProcess } from '../../node/ancestry.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import { readJson } from '../../node/read-json.ts';

/** In clock ticks since boot; null where the system does not say. */
export async function noteFirstStart(runDir: string): Promise<number | null> {
  const boot = bootId();
  const own = readProcess(process.pid)?.startTicks ?? null;
  if (boot === null || own === null) return null;
  const path = join(runDir, 'first-start.json');
  const known = await readJson(path, FirstStart);
  // A record of a later start than ours is not true.
  if (known?.boot_id === boot && known.start_ticks <= own) return known.start_ticks;
  const record: FirstStart = { boot_id: boot, start_ticks: own };
  await writeFileAtomic(path, `${JSON.stringify(record)}\n`);
  return own;
}

function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
