/** Whether a shell is well, from the checks so far. */
import type { Health, ShellView } from '../../contract/shellspec.ts';

export interface Pulse {
  readonly health: ShellView['health'];
  /** Failed checks in a row. */
  readonly misses: number;
}

export const NO_PULSE: Pulse = { health: 'unknown', misses: 0 };

/** One that has never been well may still be starting, and is left alone for `start_ms`. */
export function notePulse(pulse: Pulse, isWell: boolean, aliveMs: number, { failures, start_ms }: Health): Pulse {
  if (isWell) return { health: 'healthy', misses: 0 };
  if (pulse.health === 'unknown' && aliveMs < start_ms) return pulse;
  const misses = Math.min(failures, pulse.misses + 1);
  return { health: misses >= failures ? 'unhealthy' : pulse.health, misses };
}
