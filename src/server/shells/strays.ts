/** At the start: ends what an earlier server's shells left behind and no record leads to. By mark and user, never by name. */
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { endTree, findMarked } from '../../node/process-tree.ts';
import { MARK } from './environment.ts';
import type { Shell } from './shell.ts';

/** Marked by a server of this runtime, and below no shell that lives: their own shell died unseen, or the record was never written. */
export async function sweepStrays(
  runtimeId: string,
  shells: ReadonlyMap<string, Shell>,
  clock: Clock,
  log: Logger,
): Promise<void> {
  const prefix = `${MARK}=${runtimeId}/`;
  for (const { pid, start_time, entry } of findMarked(prefix)) {
    const shell = shells.get(entry.slice(prefix.length));
    if (shell !== undefined && shell.tree() !== null) continue;
    log.warn({ pid, shell: entry.slice(prefix.length) }, 'a process of a shell that is gone was ended');
    await endTree({ root: { pid, start_time }, mark: null }, { graceMs: 0, clock });
  }
}
