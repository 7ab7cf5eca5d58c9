/** Plain words for a time → what a schedule stores. English, few forms, nothing guessed: what is not understood is refused with examples. Pure. */
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ScheduleWhen } from '../../contract/schedules.ts';
import { parseIsoTime } from '../text/iso-time.ts';

/** A time of the wall clock in the person's time zone; who parses has no zone. */
interface LocalTime {
  readonly kind: 'local';
  /** Days from today. */
  readonly days: number;
  readonly hour: number;
  readonly minute: number;
}

export type Spoken =
  | { readonly kind: 'in'; readonly ms: number }
  | LocalTime
  | { readonly kind: 'iso'; readonly text: string }
  | { readonly kind: 'cron'; readonly cron: string };

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const UNITS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

const EXAMPLES =
  '"in 20 minutes", "tomorrow at 8:00", "2026-12-24 18:00", "every 15 minutes", "every hour", "every day at 9:00", "every weekday at 8:30", "every monday at 7:00", or a cron expression such as "0 9 * * 1-5"';

export function parseWhen(given: string): Result<Spoken> {
  const text = given.trim().toLowerCase().replace(/\s+/g, ' ').slice(0, 200);
  const spoken = parseOnce(text) ?? parseEvery(text) ?? parseCron(text);
  return spoken === null
    ? fail('invalid_request', `not understood: ${JSON.stringify(text)}. Say ${EXAMPLES}`)
    : ok(spoken);
}

/** A date and a time; without a zone it is the person's. */
const ISO = /^(\d{4}-\d{2}-\d{2})[t ](\d{1,2}):(\d{2})(:\d{2})?(z|[+-]\d{2}:\d{2})?$/;

function parseOnce(text: string): Spoken | null {
  const after = /^in (\d{1,4}) (minute|hour|day)s?$/.exec(text);
  if (after !== null) return { kind: 'in', ms: Number(after[1]) * (UNITS[after[2] ?? ''] ?? 0) };
  const day = /^(today|tomorrow) at (.+)$/.exec(text);
  if (day !== null) {
    const time = parseTime(day[2] ?? '');
    return time === null ? null : { kind: 'local', days: day[1] === 'today' ? 0 : 1, ...time };
  }
  return ISO.test(text) ? { kind: 'iso', text } : null;
}

function parseEvery(text: string): Spoken | null {
  const cron = (expression: string): Spoken => ({ kind: 'cron', cron: expression });
  if (text === 'every hour') return cron('0 * * * *');
  const minutes = /^every (\d{1,2}) minutes$/.exec(text);
  if (minutes !== null) {
    const step = Number(minutes[1]);
    // Steps that do not divide an hour would have a shorter one at its end.
    return step > 0 && 60 % step === 0 ? cron(step === 60 ? '0 * * * *' : `*/${step} * * * *`) : null;
  }
  const hours = /^every (\d{1,2}) hours$/.exec(text);
  if (hours !== null) {
    const step = Number(hours[1]);
    return step > 0 && 24 % step === 0 ? cron(step === 24 ? '0 0 * * *' : `0 */${step} * * *`) : null;
  }
  const named = /^every (day|weekday|weekend|[a-z]+day) at (.+)$/.exec(text);
  if (named === null) return null;
  const time = parseTime(named[2] ?? '');
  const days = daysOf(named[1] ?? '');
  return time === null || days === null ? null : cron(`${time.minute} ${time.hour} * * ${days}`);
}

function daysOf(word: string): string | null {
  if (word === 'day') return '*';
  if (word === 'weekday') return '1-5';
  if (word === 'weekend') return '6,0';
  const at = DAYS.indexOf(word);
  return at < 0 ? null : String(at);
}

function parseTime(text: string): { readonly hour: number; readonly minute: number } | null {
  const found = /^(\d{1,2})(?::(\d{2}))? ?(am|pm)?$/.exec(text);
  if (found === null) return null;
  const [, hours = '', minutes = '0', half] = found;
  // "at 9" alone could be either half of the day.
  if (found[2] === undefined && half === undefined) return null;
  const given = Number(hours);
  if (half !== undefined && (given < 1 || given > 12)) return null;
  const hour = half === undefined ? given : (given % 12) + (half === 'pm' ? 12 : 0);
  const minute = Number(minutes);
  return hour > 23 || minute > 59 ? null : { hour, minute };
}

/** Five fields of the characters that cron knows; what they mean is checked by whoever computes times. */
function parseCron(text: string): Spoken | null {
  const fields = text.split(' ');
  return fields.length === 5 && fields.every((one) => /^[\d*,/\-a-z#?]+$/.test(one))
    ? { kind: 'cron', cron: text }
    : null;
}

/** `toUtcMs`: the moment at which the wall clock of the person's time zone shows a text such as `2026-12-24T18:00:00`. */
export function whenOf(
  spoken: Spoken,
  at: {
    readonly nowMs: number;
    readonly today: string;
    readonly timeZone: string;
    readonly toUtcMs: (local: string) => number | null;
  },
): Result<ScheduleWhen> {
  const once = (ms: number | null): Result<ScheduleWhen> => {
    if (ms === null) return fail('invalid_request', 'there is no such time');
    if (ms <= at.nowMs) return fail('invalid_request', 'this time is over already');
    return ok({ kind: 'once', at: new Date(ms).toISOString() });
  };
  switch (spoken.kind) {
    case 'cron':
      return ok({ kind: 'cron', cron: spoken.cron, time_zone: at.timeZone });
    case 'in':
      return once(at.nowMs + spoken.ms);
    case 'iso': {
      const [, date = '', hour = '', minute = '', second = ':00', zone = ''] = ISO.exec(spoken.text) ?? [];
      const local = `${date}T${hour.padStart(2, '0')}:${minute}${second}`;
      return once(zone === '' ? at.toUtcMs(local) : parseIsoTime(`${local}${zone}`));
    }
    case 'local': {
      const day = new Date(`${at.today}T12:00:00Z`);
      day.setUTCDate(day.getUTCDate() + spoken.days);
      const two = (number: number) => String(number).padStart(2, '0');
      return once(at.toUtcMs(`${day.toISOString().slice(0, 10)}T${two(spoken.hour)}:${two(spoken.minute)}:00`));
    }
    default:
      return spoken satisfies never;
  }
}
