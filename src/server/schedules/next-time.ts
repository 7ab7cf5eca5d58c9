/** What a cron expression in a time zone means, computed by croner; loaded with the first schedule. */
import { Cron } from 'croner';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ScheduleWhen } from '../../contract/schedules.ts';
import type { NextTime } from '../../core/schedules/decide.ts';
import { isoTime } from '../../core/text/iso-time.ts';

/** Times of an expression follow each other closely, so the compiled one is kept; a person has some dozens. */
const MAX_COMPILED = 500;
const compiled = new Map<string, Cron>();

export const nextTime: NextTime = (when, afterMs) => {
  if (when.kind === 'once') {
    const at = Date.parse(when.at);
    return at > afterMs ? at : null;
  }
  return cronOf(when).nextRun(new Date(afterMs))?.getTime() ?? null;
};

/** Refuses what croner refuses, a time zone that is none, and what never comes. */
export function checkWhen(when: ScheduleWhen, nowMs: number): Result<null> {
  if (when.kind === 'cron' && when.cron.trim().split(/\s+/).length !== 5)
    return fail('invalid_request', 'a cron expression has five fields: minute, hour, day, month, weekday');
  try {
    if (nextTime(when, nowMs) !== null) return ok(null);
  } catch (error) {
    return fail('invalid_request', error instanceof Error ? error.message : 'this is no time');
  }
  return fail('invalid_request', when.kind === 'once' ? 'this time is over already' : 'this never comes');
}

/** The next three. */
export function timesAfter(when: ScheduleWhen, nowMs: number): string[] {
  const times: string[] = [];
  for (let at = nextTime(when, nowMs); at !== null && times.length < 3; at = nextTime(when, at))
    times.push(isoTime(at));
  return times;
}

function cronOf({ cron, time_zone: timezone }: Extract<ScheduleWhen, { kind: 'cron' }>): Cron {
  const key = `${timezone} ${cron}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const made = new Cron(cron, { timezone, paused: true, mode: '5-part' });
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(key, made);
  return made;
}
