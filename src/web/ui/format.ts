/** Times, durations, counts and paths as people read them. */
import { trimEndOf } from '../../core/text/trim-end.ts';
import { en } from '../strings/en.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function formatDuration(ms: number): string {
  if (ms < 1_000) return en.units.ms(Math.round(ms));
  if (ms < 10_000) return en.units.seconds((ms / 1_000).toFixed(1));
  if (ms < MINUTE) return en.units.seconds(String(Math.round(ms / 1_000)));
  if (ms < HOUR) return en.units.minutes(Math.floor(ms / MINUTE), Math.floor((ms % MINUTE) / 1_000));
  return en.units.hours(Math.floor(ms / HOUR), Math.floor((ms % HOUR) / MINUTE));
}

export function formatAgo(ts: string, now: number): string {
  const ms = now - Date.parse(ts);
  if (!Number.isFinite(ms)) return '';
  if (ms < MINUTE) return en.units.now;
  if (ms < HOUR) return en.units.minutesAgo(Math.floor(ms / MINUTE));
  if (ms < DAY) return en.units.hoursAgo(Math.floor(ms / HOUR));
  return en.units.daysAgo(Math.floor(ms / DAY));
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function formatClock(ts: string): string {
  const at = Date.parse(ts);
  return Number.isFinite(at) ? clock.format(at) : '';
}

export function formatExact(ts: string): string {
  const at = Date.parse(ts);
  return Number.isFinite(at) ? exact.format(at) : '';
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const plain = new Intl.NumberFormat('en');

export const formatCompact = (count: number): string => compact.format(count);
export const formatCount = (count: number): string => plain.format(count);

/** Keeps the start and the whole last part: `/home/…/src/path.rs`. */
export function middleCut(path: string, maxChars: number): string {
  if (path.length <= maxChars) return path;
  const last = path.slice(path.lastIndexOf('/', path.length - 2));
  if (last.length >= maxChars - 4) return `…${path.slice(-(maxChars - 1))}`;
  return `${path.slice(0, maxChars - last.length - 1)}…${last}`;
}

/** The last part of a directory: what people call the project. */
export function projectName(cwd: string): string {
  return trimEndOf(cwd, '/').split('/').at(-1) || '/';
}
