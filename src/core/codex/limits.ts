/** The rate limits of the account, read from what Codex says of them. Pure. */
import type { AccountLimits } from '../../contract/routes-server.ts';
import { isRecord } from '../text/is-record.ts';

/** Null when nothing in it can be shown: Codex sends an empty snapshot for accounts without limits. */
export function readLimits(snapshot: unknown): AccountLimits | null {
  if (!isRecord(snapshot)) return null;
  const windows = [snapshot.primary, snapshot.secondary].flatMap(readWindow);
  const reached = typeof snapshot.rateLimitReachedType === 'string' ? snapshot.rateLimitReachedType : null;
  return windows.length === 0 && reached === null ? null : { windows, reached };
}

function readWindow(window: unknown): AccountLimits['windows'][number][] {
  if (!isRecord(window) || !isNumber(window.usedPercent)) return [];
  const { windowDurationMins, resetsAt } = window;
  return [
    {
      used_percent: window.usedPercent,
      window_minutes: isNumber(windowDurationMins) ? windowDurationMins : null,
      resets_at_ms: isNumber(resetsAt) ? resetsAt * 1000 : null,
    },
  ];
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
