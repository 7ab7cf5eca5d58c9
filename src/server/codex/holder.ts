/** Which other process has a thread open. Codex locks a file of each thread that it has loaded. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programOfCommand } from '../../core/codex/program-name.ts';
import { lockHolder } from '../../node/lock-holder.ts';

interface HolderOptions {
  readonly codexHome: string;
  /** The Codex of this server. */
  readonly ownPid: () => number | null;
}

export interface Holder {
  readonly name: string;
  readonly pid: number;
}

export function createHolderLookup({ codexHome, ownPid }: HolderOptions): (threadId: string) => Holder | null {
  return (threadId) => {
    const pid = lockHolder(join(codexHome, 'thread-writer-locks', `${threadId}.lock`));
    return pid === null || pid === ownPid() ? null : { name: programOfCommand(commandLineOf(pid)), pid };
  };
}

function commandLineOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  } catch {
    return [];
  }
}
