/** Schedules and the library that reads cron expressions, loaded when there is a schedule or somebody makes one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../../contract/result.ts';
import type { ScheduleWhen, ShownSchedule } from '../../contract/schedules.ts';
import type { Clock } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import type { Seals } from '../../node/seals.ts';
import type { SchedulePorts } from './run-schedule.ts';
import { SCHEDULES_FILE } from './schedule-store.ts';
import type { Schedules } from './schedules.ts';

type SpokenWhen = ScheduleWhen | { readonly kind: 'words'; readonly words: string; readonly time_zone: string };

export interface LazySchedules {
  list(): Promise<readonly ShownSchedule[]>;
  open(): Promise<Schedules>;
  /** Words become a time or a cron expression. */
  read(when: SpokenWhen): Promise<Result<ScheduleWhen>>;
  /** Once conversations are known: what is due runs from here on. */
  start(): Promise<void>;
  turnFailed(clientMessageId: string): void;
  close(): Promise<void>;
}

interface LazyOptions {
  readonly home: string;
  readonly seals: Seals;
  readonly ports: SchedulePorts;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createLazySchedules({ home, seals, ports, clock, log }: LazyOptions): LazySchedules {
  let opened: Promise<Schedules> | null = null;
  let isStarted = false;
  const load = async (): Promise<Schedules> => {
    const [{ openScheduleStore }, { createSchedules }] = await Promise.all([
      import('./schedule-store.ts'),
      import('./schedules.ts'),
    ]);
    const schedules = createSchedules({ store: await openScheduleStore(home, seals), ports, clock, log });
    if (isStarted) schedules.start();
    return schedules;
  };
  const open = (): Promise<Schedules> => {
    opened ??= load();
    return opened;
  };
  const isThere = () => opened !== null || existsSync(join(home, SCHEDULES_FILE));
  return {
    open,
    list: async () => (isThere() ? (await open()).list() : []),
    async read(when) {
      if (when.kind !== 'words') return { ok: true, value: when };
      return (await import('./read-words.ts')).readWords(when, clock.now());
    },
    async start() {
      isStarted = true;
      if (isThere()) (await open()).start();
    },
    turnFailed(clientMessageId) {
      if (opened !== null) void opened.then((schedules) => schedules.turnFailed(clientMessageId));
    },
    close: async () => (await opened)?.close(),
  };
}
