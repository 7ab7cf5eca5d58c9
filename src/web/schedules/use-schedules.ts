/** The schedules of the server, read again whenever one of them changes. */
import { useCallback, useEffect, useState } from 'react';
import type { ShownSchedule } from '../../contract/schedules.ts';
import { useApp, useCommands } from '../state/use-app.ts';

export interface ScheduleList {
  /** Null until they were read. */
  readonly schedules: readonly ShownSchedule[] | null;
  readonly problem: string | null;
  read(): Promise<void>;
}

export function useSchedules(): ScheduleList {
  const { schedule: call } = useCommands();
  const version = useApp((state) => state.schedules);
  const [schedules, setSchedules] = useState<readonly ShownSchedule[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = useCallback(async () => {
    const answer = await call('listSchedules', {});
    if (answer.ok) setSchedules(answer.value.schedules);
    setProblem(answer.ok ? null : answer.error.message);
  }, [call]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new version is a reason to read again
  useEffect(() => {
    void read();
  }, [read, version]);
  return { schedules, problem, read };
}
