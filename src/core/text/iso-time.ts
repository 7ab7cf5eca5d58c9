/** Unix milliseconds ↔ RFC 3339. */

/** What a Date can hold, in both directions. */
const MAX_TIME_MS = 8_640_000_000_000_000;
/** The calendar repeats itself after so many years, which are so many milliseconds. */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * 86_400_000;

/** A time beyond what a Date can hold is written as the last one it can: a time that another program gives must not throw. */
export function isoTime(unixMs: number): string {
  return new Date(Math.min(MAX_TIME_MS, Math.max(-MAX_TIME_MS, unixMs))).toISOString();
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)$/;

/** Null for what is no such time. Stricter than `Date.parse`, which also takes times without a zone and reads them as local ones. */
export function parseIsoTime(text: string): number | null {
  const parts = RFC_3339.exec(text);
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const isWithin = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && minute <= 59 && second <= 60;
  if (!isWithin) return null;
  const fraction = Math.floor(Number(`0.${parts[7] ?? '0'}`) * 1_000);
  const [sign = '', hours = 0, minutes = 0] = zoneOf(parts[8] ?? 'Z');
  const offset = (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  // A cycle later and back: Date.UTC takes the years 0 to 99 for those of the last century.
  const utc = Date.UTC(year + CYCLE_YEARS, month - 1, day, hour, minute, second) - CYCLE_MS;
  return utc + fraction - offset;
}

function zoneOf(zone: string): [string, number, number] {
  return zone.length === 1 ? ['+', 0, 0] : [zone.slice(0, 1), Number(zone.slice(1, 3)), Number(zone.slice(4))];
}
