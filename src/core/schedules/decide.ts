/** When a schedule runs, and what it is afterwards. Pure: what a cron expression means is a function that the caller brings. */
import type { Schedule, ScheduleRun } from '../../contract/schedules.ts';
import { isoTime } from '../text/iso-time.ts';

/** The first time after `afterMs` at which it is due; null when there is none. */
export type NextTime = (when: Schedule['when'], afterMs: number) => number | null;

export type Decision =
  | { readonly act: 'wait'; readonly untilMs: number | null }
  /** The clock was wrong: what it handled lies in the future, and must not block what comes. */
  | { readonly act: 'rewind'; readonly toMs: number }
  /** `missed`: how many earlier ones are given up with it. */
  | { readonly act: 'run'; readonly dueMs: number; readonly missed: number }
  | { readonly act: 'miss'; readonly untilMs: number; readonly missed: number };

/** A server that is restarted, or a laptop that was closed for a moment, is not late. */
const LATE_MS = 5 * 60_000;
/** More are not counted one by one: a schedule of every minute after a month has missed "at least" so many. */
const MAX_COUNTED = 10_000;
/** Who sets a clock back by less does not want anything a second time. */
const AHEAD_MS = 24 * 3_600_000;

export function decide(schedule: Schedule, nowMs: number, next: NextTime): Decision {
  if (schedule.state !== 'active') return { act: 'wait', untilMs: null };
  if (schedule.handled_until - nowMs > AHEAD_MS) return { act: 'rewind', toMs: nowMs };
  const first = next(schedule.when, schedule.handled_until);
  if (first === null || first > nowMs) return { act: 'wait', untilMs: first };
  let due = first;
  let missed = 0;
  for (let later = next(schedule.when, due); later !== null && later <= nowMs && missed < MAX_COUNTED; missed += 1) {
    due = later;
    later = next(schedule.when, due);
  }
  const isLate = nowMs - due > LATE_MS;
  if (isLate && schedule.missed === 'skip') return { act: 'miss', untilMs: nowMs, missed: missed + 1 };
  return { act: 'run', dueMs: due, missed };
}

/** The message of one run has the same id however often the server begins it; the ids of a clock that was wrong are others. */
export function beginRun(schedule: Schedule, dueMs: number, newId: string): Schedule {
  const client_message_id = `${schedule.schedule_id}-${dueMs}-${newId}`;
  return { ...schedule, pending: { due: dueMs, client_message_id, conversation_id: null } };
}

export interface RunEnd {
  readonly dueMs: number;
  readonly nowMs: number;
  readonly outcome: ScheduleRun['outcome'];
  readonly note: string | null;
  readonly conversationId: ScheduleRun['conversation_id'];
  readonly clientMessageId: ScheduleRun['client_message_id'];
}

const MAX_HISTORY = 50;

export function endRun(schedule: Schedule, end: RunEnd, next: NextTime): Schedule {
  const run: ScheduleRun = {
    due: isoTime(end.dueMs),
    at: isoTime(end.nowMs),
    outcome: end.outcome,
    note: end.note,
    conversation_id: end.conversationId,
    client_message_id: end.clientMessageId,
  };
  const runs = schedule.runs + (end.outcome === 'sent' ? 1 : 0);
  const after: Schedule = {
    ...schedule,
    runs,
    pending: null,
    handled_until: end.dueMs,
    history: [run, ...schedule.history].slice(0, MAX_HISTORY),
  };
  if (end.outcome === 'failed' && schedule.stop_on_failure)
    return { ...after, state: 'paused', reason: `A run failed: ${end.note ?? 'no reason is known'}` };
  if (schedule.max_runs !== null && runs >= schedule.max_runs)
    return { ...after, state: 'ended', reason: `It ran ${runs} times.` };
  return next(after.when, Math.max(end.dueMs, end.nowMs)) === null
    ? { ...after, state: 'ended', reason: 'It has no time left at which it would run.' }
    : after;
}

/** The turn of its message ended badly. */
export function noteFailedTurn(schedule: Schedule, clientMessageId: string): Schedule {
  // A quick turn may fail before its run was stored as sent.
  const ids = [schedule.pending, ...schedule.history].map((run) => run?.client_message_id);
  if (!ids.includes(clientMessageId) || !schedule.stop_on_failure || schedule.state !== 'active') return schedule;
  return { ...schedule, state: 'paused', reason: 'A turn that it started failed.' };
}

/** What passed while it was paused does not run. */
export function resume(schedule: Schedule, nowMs: number): Schedule {
  return { ...schedule, state: 'active', reason: null, handled_until: Math.max(schedule.handled_until, nowMs) };
}

const nextFrom = ({ handled_until: handled }: Schedule, nowMs: number): number =>
  handled - nowMs > AHEAD_MS ? nowMs : Math.max(handled, nowMs);

export function nextTimes(schedule: Schedule, nowMs: number, next: NextTime): string[] {
  if (schedule.state !== 'active') return [];
  const times: string[] = [];
  let at = next(schedule.when, nextFrom(schedule, nowMs));
  while (at !== null && times.length < 3) {
    times.push(isoTime(at));
    at = next(schedule.when, at);
  }
  return times;
}
