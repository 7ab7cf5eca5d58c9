/** `run/first-start.json`: when the first server of this home began since the machine was started, and which limits servers gave since then. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FirstStart } from '../../contract/run-files.ts';
import type { LimitMarks } from '../../core/access/classify-peer.ts';
import { readProcess } from '../../node/ancestry.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import { canRaiseLimits, type LimitMark } from '../../node/limit-mark.ts';
import { readJson } from '../../node/read-json.ts';

export interface Origin {
  /** In clock ticks since boot; null where the system does not say. Whatever an agent started is younger. */
  readonly firstStartTicks: number | null;
  readonly marks: LimitMarks | null;
}

/** Called before the server starts any process. */
export async function noteFirstStart(runDir: string, mark: LimitMark | null): Promise<Origin> {
  const boot = bootId();
  const own = readProcess(process.pid)?.startTicks ?? null;
  if (boot === null || own === null) return { firstStartTicks: null, marks: null };
  const path = join(runDir, 'first-start.json');
  const stored = await readJson(path, FirstStart);
  // A record of a later start than ours is not true.
  const known = stored?.boot_id === boot && stored.start_ticks <= own ? stored : null;
  const limits = limitsOf(known, mark);
  const record: FirstStart = { boot_id: boot, start_ticks: known?.start_ticks ?? own, ...(limits && { limits }) };
  await writeFileAtomic(path, `${JSON.stringify(record)}\n`);
  const isComplete = limits !== null && !canRaiseLimits();
  const marks = limits ?? mark;
  return {
    firstStartTicks: record.start_ticks,
    marks: marks === null ? null : { agent: marks.agent, shell: marks.shell, isComplete },
  };
}

/** Null if this server, or one since boot, started processes without a limit. */
function limitsOf(known: FirstStart | null, mark: LimitMark | null): NonNullable<FirstStart['limits']> | null {
  if (mark === null || (known !== null && known.limits === undefined)) return null;
  return {
    agent: Math.max(mark.agent, known?.limits?.agent ?? 0),
    shell: Math.max(mark.shell, known?.limits?.shell ?? 0),
  };
}

function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
