/** Words for a time in a time zone → what a schedule stores; croner knows the zones. */
import { Cron } from 'croner';
import { fail, type Result } from '../../contract/result.ts';
import type { ScheduleWhen } from '../../contract/schedules.ts';
import { parseWhen, whenOf } from '../../core/schedules/parse-when.ts';

export function readWords(
  { words, time_zone: timeZone }: { readonly words: string; readonly time_zone: string },
  nowMs: number,
): Result<ScheduleWhen> {
  const spoken = parseWhen(words);
  if (!spoken.ok) return spoken;
  try {
    // Sweden writes dates as ISO 8601 does.
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(nowMs);
    return whenOf(spoken.value, { nowMs, today, timeZone, toUtcMs: (local) => toUtcMs(local, timeZone) });
  } catch {
    return fail(
      'invalid_request',
      `${JSON.stringify(timeZone)} is no time zone: give an IANA name, such as Europe/Berlin`,
    );
  }
}

/** Null for a time that the wall clock leaves out, or that is none. */
function toUtcMs(local: string, timezone: string): number | null {
  try {
    return new Cron(local, { timezone, paused: true }).nextRun(new Date(0))?.getTime() ?? null;
  } catch {
    return null;
  }
}
