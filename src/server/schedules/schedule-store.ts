/** `schedules.json`: the only code that reads and writes schedules. Sealed: a file that somebody else wrote would speak as the person. */
import { join } from 'node:path';
import { ok, type Result } from '../../contract/result.ts';
import { type Schedule, ScheduleFile } from '../../contract/schedules.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { Seals } from '../../node/seals.ts';
import { storageFailure } from '../storage-failure.ts';

export interface ScheduleStore {
  all(): readonly Schedule[];
  find(id: string): Schedule | undefined;
  /** The changed schedule, once it is on disk. */
  put(changed: Schedule): Promise<Result<Schedule>>;
  add(schedule: Schedule): Promise<Result<null>>;
  remove(id: string): Promise<Result<null>>;
}

export const SCHEDULES_FILE = 'schedules.json';

/** `onChange`: the list is different now. */
export async function openScheduleStore(home: string, seals: Seals, onChange: () => void): Promise<ScheduleStore> {
  const path = join(home, SCHEDULES_FILE);
  const text = await seals.read(SCHEDULES_FILE, path);
  let schedules: readonly Schedule[] =
    ScheduleFile.safeParse(text === null ? null : parseJson(text)).data?.schedules ?? [];

  const save = async (next: readonly Schedule[]): Promise<Result<null>> => {
    try {
      await seals.write(SCHEDULES_FILE, path, JSON.stringify({ version: 1, schedules: next }));
    } catch (error) {
      return storageFailure(error, 'the schedule was not saved');
    }
    schedules = next;
    onChange();
    return ok(null);
  };

  return {
    all: () => schedules,
    find: (id) => schedules.find((one) => one.schedule_id === id),
    async put(changed) {
      const saved = await save(schedules.map((one) => (one.schedule_id === changed.schedule_id ? changed : one)));
      return saved.ok ? ok(changed) : saved;
    },
    add: (schedule) => save([...schedules, schedule]),
    remove: (id) => save(schedules.filter((one) => one.schedule_id !== id)),
  };
}
