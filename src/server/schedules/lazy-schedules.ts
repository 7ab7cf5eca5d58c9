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

interface SchedulePreview {
  readonly when: ScheduleWhen | null;
  readonly next: string[];
  readonly problem: string | null;
}

export interface LazySchedules {
  list(): Promise<readonly ShownSchedule[]>;
  open(): Promise<Schedules>;
  /** Words become a time or a cron expression. */
  read(when: SpokenWhen): Promise<Result<ScheduleWhen>>;
  /** With the next three times. */
  preview(when: SpokenWhen): Promise<SchedulePreview>;
  /** Once conversations are known: what is due runs from here on. */
  start(): Promise<void>;
  turnFailed(clientMessageId: string): void;
  close(): Promise<void>;
}

interface LazyOptions {
  readonly home: string;
  readonly seals: Seals;
  readonly ports: SchedulePorts;
  /** The list is different now. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createLazySchedules({ home, seals, ports, onChange, clock, log }: LazyOptions): LazySchedules {
  let opened: Promise<Schedules> | null = null;
  let isStarted = false;
  const load = async (): Promise<Schedules> => {
    const [{ openScheduleStore }, { createSchedules }] = await Promise.all([
      import('./schedule-store.ts'),
      import('./schedules.ts'),
    ]);
    const schedules = createSchedules({ store: await openScheduleStore(home, seals, onChange), ports, clock, log });
    if (isStarted) schedules.start();
    return schedules;
  };
  const open = (): Promise<Schedules> => {
    opened ??= load();
    return opened;
  };
  const isThere = () => opened !== null || existsSync(join(home, SCHEDULES_FILE));
  const read = async (when: SpokenWhen): Promise<Result<ScheduleWhen>> =>
    when.kind === 'words' ? (await import('./read-words.ts')).readWords(when, clock.now()) : { ok: true, value: when };
  return {
    open,
    read,
    async preview(spoken) {
      const when = await read(spoken);
      if (!when.ok) return notUnderstood(when.error.message);
      const { checkWhen, timesAfter } = await import('./next-time.ts');
      const checked = checkWhen(when.value, clock.now());
      if (!checked.ok) return notUnderstood(checked.error.message);
      return { when: when.value, next: timesAfter(when.value, clock.now()), problem: null };
    },
    list: async () => (isThere() ? (await open()).list() : []),
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

/** No failure: whoever types is not done yet. */
const notUnderstood = (problem: string): SchedulePreview => ({ when: null, next: [], problem });
