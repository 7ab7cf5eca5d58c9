/** Makes a home ours: nobody else may read it, and no other server uses it. */
import { join } from 'node:path';
import { fail, ok, type Result } from '../contract/result.ts';
import { ServerRecord } from '../contract/run-files.ts';
import { ensurePrivateDir } from '../node/atomic-file.ts';
import { acquireInstanceLock } from '../node/instance-lock.ts';
import type { Logger } from '../node/logger.ts';
import { serverRecordPath } from '../node/places.ts';
import { readJson } from '../node/read-json.ts';

export interface ClaimedHome {
  /** Of what belongs to the running server. */
  readonly runDir: string;
  release(): Promise<void>;
}

export async function claimHome(home: string, log: Logger): Promise<Result<ClaimedHome>> {
  const runDir = join(home, 'run');
  const secured = await secureDirs(home, runDir, log);
  if (!secured.ok) return secured;
  const lock = await acquireInstanceLock(home);
  return lock.ok ? ok({ runDir, release: lock.release }) : homeLocked(home);
}

async function secureDirs(home: string, runDir: string, log: Logger): Promise<Result<null>> {
  try {
    for (const dir of [home, runDir]) {
      const { repaired } = await ensurePrivateDir(dir);
      if (repaired) log.warn({ dir }, 'others could read this directory; its mode is now 0700');
    }
    return ok(null);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail('forbidden', `the home ${home} cannot be used: ${message}`);
  }
}

async function homeLocked(home: string): Promise<Result<never>> {
  const holder = await readJson(serverRecordPath(home), ServerRecord);
  const who = holder === null ? 'another server' : `the server with pid ${holder.pid} at ${holder.url}`;
  return fail('home_locked', `${who} already uses ${home}: stop it with \`signalbox stop\`, or choose another --home`, {
    pid: holder?.pid ?? null,
    url: holder?.url ?? null,
  });
}
