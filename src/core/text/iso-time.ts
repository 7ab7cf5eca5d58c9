/** Unix milliseconds ↔ RFC 3339 by arithmetic alone, for code that may not ask a clock. */

const DAY_MS = 86_400_000;

/** Days since 1970-01-01 of a date in the proleptic Gregorian calendar. Months count from 1, and the year begins in March. */
function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function isoTime(unixMs: number): string {
  const days = Math.floor(unixMs / DAY_MS);
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const march = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * march + 2) / 5) + 1;
  const month = march < 10 ? march + 3 : march - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const ms = unixMs - days * DAY_MS;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const clock = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}`;
  return `${renderYear(year)}-${two(month)}-${two(day)}T${clock}.${String(ms % 1_000).padStart(3, '0')}Z`;
}

function renderYear(year: number): string {
  if (year >= 0 && year <= 9_999) return String(year).padStart(4, '0');
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`;
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)$/;

/** Null for what is no such time. */
export function parseIsoTime(text: string): number | null {
  const parts = RFC_3339.exec(text);
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const isWithin = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && minute <= 59 && second <= 60;
  if (!isWithin) return null;
  const fraction = Math.floor(Number(`0.${parts[7] ?? '0'}`) * 1_000);
  const [sign = '', hours = 0, minutes = 0] = zoneOf(parts[8] ?? 'Z');
  const offset = (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  return daysOf(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1_000 + fraction - offset;
}

function zoneOf(zone: string): [string, number, number] {
  return zone.length === 1 ? ['+', 0, 0] : [zone.slice(0, 1), Number(zone.slice(1, 3)), Number(zone.slice(4))];
}
