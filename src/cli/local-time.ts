/** Times for people: in the zone of this machine, with its offset, so that a line that was copied elsewhere stays true. */

/** `2026-11-18 10:04 +01:00`; with seconds where several things happen within a minute. */
export function localTime(iso: string, precision: 'minutes' | 'seconds' = 'minutes'): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const offset = -date.getTimezoneOffset();
  const shifted = new Date(date.getTime() + offset * 60_000).toISOString();
  const sign = offset < 0 ? '-' : '+';
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const time = shifted.slice(0, precision === 'minutes' ? 16 : 19).replace('T', ' ');
  return `${time} ${sign}${twoDigits(hours)}:${twoDigits(minutes)}`;
}

const twoDigits = (count: number): string => String(count).padStart(2, '0');
