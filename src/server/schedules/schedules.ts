/** The schedules of a person: kept, changed, and run when they are due. */
import { randomBytes } from 'node:crypto';
import { fail, ok, type Result } from '../../contract/result.ts';
import { MAX_SCHEDULES, type Schedule, type ScheduleInput, type ShownSchedule } from '../../contract/schedules.ts';
import { beginRun, decide, nextTimes, noteFailedTurn, resume } from '../../core/schedules/decide.ts';
import { isoTime } from '../../core/text/iso-time.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Logger } from '../../node/logger.ts';
import { createSerial } from '../../node/serial.ts';
import { checkWhen, nextTime } from './next-time.ts';
import { finishRun, newRunId, type SchedulePorts, stepSchedule } from './run-schedule.ts';
import type { ScheduleStore } from './schedule-store.ts';

export interface Schedules {
  /** Once conversations are known. */
  start(): void;
  list(): readonly ShownSchedule[];
  add(input: ScheduleInput): Promise<Result<ShownSchedule>>;
  change(id: string, input: Partial<ScheduleInput>): Promise<Result<ShownSchedule>>;
  setPaused(id: string, isPaused: boolean): Promise<Result<ShownSchedule>>;
  /** Now, beside its times. */
  runNow(id: string): Promise<Result<ShownSchedule>>;
  remove(id: string): Promise<Result<null>>;
  /** A turn that a message began has failed. */
  turnFailed(clientMessageId: string): void;
  close(): Promise<void>;
}

interface ScheduleOptions {
  readonly store: ScheduleStore;
  readonly ports: SchedulePorts;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A machine that slept, and a clock that was set, are noticed after this long at the latest. */
const LOOK_MS = 30_000;
/** After a run that could not be stored, or for which Codex was not there yet. */
const RETRY_MS = 5_000;

export function createSchedules({ store, ports, clock, log }: ScheduleOptions): Schedules {
  let timer: Timer | null = null;
  let isStarted = false;
  let isClosed = false;
  const serial = createSerial();
  const tools = { store, ports, now: clock.now, isClosing: () => isClosed };

  const plan = (atLeastMs = 0): void => {
    timer?.cancel();
    timer = null;
    if (!isStarted || isClosed) return;
    const due = store.all().flatMap((one) => dueOf(one, clock.now()) ?? []);
    if (due.length === 0) return;
    const waitMs = Math.min(Math.max(Math.min(...due) - clock.now(), atLeastMs), LOOK_MS);
    timer = clock.setTimer(waitMs, () => {
      serial.run(round).catch((error: unknown) => {
        log.error({ error }, 'a schedule failed');
        plan(RETRY_MS);
      });
    });
  };
  const round = async (): Promise<void> => {
    let isDone = true;
    for (const { schedule_id: id } of store.all()) {
      const schedule = store.find(id);
      if (schedule !== undefined && !isClosed) isDone = (await stepSchedule(tools, schedule)) && isDone;
    }
    plan(isDone ? 0 : RETRY_MS);
  };
  const shown = (schedule: Schedule) => showSchedule(schedule, clock.now());
  const changeOne = (id: string, next: (before: Schedule) => Result<Schedule>) =>
    serial.run(async (): Promise<Result<ShownSchedule>> => {
      const before = store.find(id);
      if (before === undefined) return unknown(id);
      const after = next(before);
      const saved = after.ok ? await store.put(after.value) : after;
      plan();
      return saved.ok ? ok(shown(saved.value)) : saved;
    });

  return {
    start() {
      isStarted = true;
      plan();
    },
    list: () => store.all().map(shown),
    add: (input) =>
      serial.run(async () => {
        const made = newSchedule(input, store.all().length, clock.now());
        if (!made.ok) return made;
        const saved = await store.add(made.value);
        plan();
        return saved.ok ? ok(shown(made.value)) : saved;
      }),
    change: (id, input) => changeOne(id, (before) => changed(before, input, clock.now())),
    setPaused: (id, isPaused) => changeOne(id, (before) => paused(before, isPaused, clock.now())),
    runNow: (id) =>
      serial.run(async () => {
        const before = store.find(id);
        if (before === undefined) return unknown(id);
        if (before.pending !== null) return fail('conflict', 'a run of it has just begun');
        const begun = await store.put(beginRun(before, clock.now(), newRunId()));
        if (!begun.ok) return begun;
        const ended = await finishRun(tools, begun.value);
        plan(RETRY_MS);
        if (ended === null)
          return fail('codex_unavailable', 'the message goes as soon as Codex and the disk can take it');
        // A run by hand is beside the plan: what was due stays due.
        const kept = await store.put({ ...ended, handled_until: before.handled_until });
        const [run] = ended.history;
        if (run?.outcome === 'failed') return fail('conflict', `the message was not sent: ${run.note ?? 'unknown'}`);
        return kept.ok ? ok(shown(kept.value)) : kept;
      }),
    remove: (id) =>
      serial.run(async () => {
        const saved = store.find(id) === undefined ? unknown(id) : await store.remove(id);
        plan();
        return saved;
      }),
    turnFailed(clientMessageId) {
      const hit = store.all().find((one) => noteFailedTurn(one, clientMessageId) !== one);
      if (hit === undefined) return;
      changeOne(hit.schedule_id, (before) => ok(noteFailedTurn(before, clientMessageId))).catch((error: unknown) =>
        log.error({ error }, 'a schedule was not paused'),
      );
    },
    async close() {
      isClosed = true;
      timer?.cancel();
      await serial.idle();
    },
  };
}

const unknown = (id: string): Result<never> => fail('not_found', `there is no schedule ${id}`);

/** When something has to be done for it; null for never. */
function dueOf(schedule: Schedule, nowMs: number): number | null {
  if (schedule.pending !== null) return nowMs;
  const decision = decide(schedule, nowMs, nextTime);
  return decision.act === 'wait' ? decision.untilMs : nowMs;
}

function showSchedule(schedule: Schedule, nowMs: number): ShownSchedule {
  const { handled_until: _handled, pending: _pending, ...rest } = schedule;
  return { ...rest, next: nextTimes(schedule, nowMs, nextTime) };
}

function newSchedule(input: ScheduleInput, count: number, nowMs: number): Result<Schedule> {
  if (count >= MAX_SCHEDULES) return fail('conflict', `there are ${MAX_SCHEDULES} schedules: remove one first`);
  const checked = checkWhen(input.when, nowMs);
  if (!checked.ok) return checked;
  return ok({
    ...input,
    schedule_id: `sch_${randomBytes(8).toString('hex')}`,
    state: 'active',
    reason: null,
    created_at: isoTime(nowMs),
    handled_until: nowMs,
    runs: 0,
    history: [],
    pending: null,
  });
}

function changed(before: Schedule, input: Partial<ScheduleInput>, nowMs: number): Result<Schedule> {
  const after = { ...before, ...input };
  if (input.when === undefined) return ok(after);
  const checked = checkWhen(input.when, nowMs);
  // Times of the old plan that were not reached yet do not count for the new one.
  return checked.ok ? ok(resume(after, nowMs)) : checked;
}

function paused(before: Schedule, isPaused: boolean, nowMs: number): Result<Schedule> {
  if (isPaused) return ok(before.state === 'ended' ? before : { ...before, state: 'paused', reason: null });
  const after = resume(before, nowMs);
  const hasRun =
    (after.max_runs === null || after.runs < after.max_runs) && nextTimes(after, nowMs, nextTime).length > 0;
  return hasRun ? ok(after) : fail('conflict', 'it has no run left: change its time or its number of runs first');
}
