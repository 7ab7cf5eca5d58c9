/** Which linked work trees Signalbox made, for whom and why: `changes/worktrees.json`. Written before a work tree is begun and when it is whole. */
import { join } from 'node:path';
import { ok, type Result } from '../../contract/result.ts';
import { type WorktreeRecord, WorktreeRecordFile } from '../../contract/worktrees.ts';
import { ensurePrivateDir, writeFileAtomic } from '../../node/atomic-file.ts';
import { readJson } from '../../node/read-json.ts';
import { createSerial } from '../../node/serial.ts';
import { storageFailure } from '../storage-failure.ts';

export interface WorktreeRecords {
  /** The one that was made last is the last one. */
  all(): readonly WorktreeRecord[];
  ofRequest(requestId: string): WorktreeRecord | null;
  /** Takes the place of the record of the same path. */
  put(record: WorktreeRecord): Promise<Result<null>>;
  drop(path: string): Promise<Result<null>>;
}

/** Far more than anybody has at once; the oldest are forgotten. */
const MAX_RECORDS = 500;

const recordsFile = (folder: string): string => join(folder, 'worktrees.json');

/** `folder`: `changes` in the home. */
export async function openWorktreeRecords(folder: string): Promise<WorktreeRecords> {
  const path = recordsFile(folder);
  await ensurePrivateDir(folder);
  let records: readonly WorktreeRecord[] = (await readJson(path, WorktreeRecordFile))?.worktrees ?? [];
  const changes = createSerial();

  const change = (step: (now: readonly WorktreeRecord[]) => readonly WorktreeRecord[]): Promise<Result<null>> =>
    changes.run(async () => {
      const next = step(records).slice(-MAX_RECORDS);
      const file: WorktreeRecordFile = { worktrees: [...next] };
      try {
        await writeFileAtomic(path, `${JSON.stringify(file)}\n`);
      } catch (error) {
        return storageFailure(error, 'the list of work trees was not saved');
      }
      records = next;
      return ok(null);
    });

  return {
    all: () => records,
    ofRequest: (requestId) => records.findLast((one) => one.request_id === requestId) ?? null,
    put: (record) => change((now) => [...now.filter((one) => one.path !== record.path), record]),
    drop: (gone) => change((now) => now.filter((one) => one.path !== gone)),
  };
}
