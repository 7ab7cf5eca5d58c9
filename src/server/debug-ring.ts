/** The last raw lines to and from Codex, kept only while debug mode is on. */
import type { Clock } from '../node/clock.ts';

const MAX_LINES = 1_000;
/** A line is kept for reading, not for replay. */
const MAX_LINE_CHARS = 16 * 1024;

export interface DebugRing {
  isEnabled(): boolean;
  setEnabled(enabled: boolean): void;
  lines(limit: number): { at: string; dir: 'in' | 'out'; line: string }[];
}

export interface RawTap extends DebugRing {
  note(dir: 'in' | 'out', line: string): void;
  /** Hears every line from now on; for `WS …?mode=raw`. */
  subscribe(listener: (line: string) => void): () => void;
}

export function createDebugRing(clock: Clock, isEnabledAtStart: boolean): RawTap {
  const ring: { at: string; dir: 'in' | 'out'; line: string }[] = [];
  const listeners = new Set<(line: string) => void>();
  let isEnabled = isEnabledAtStart;
  return {
    isEnabled: () => isEnabled,
    setEnabled(enabled) {
      isEnabled = enabled;
      if (!enabled) ring.length = 0;
    },
    lines: (limit) => ring.slice(-limit),
    note(dir, line) {
      if (!isEnabled) return;
      const kept = { at: new Date(clock.now()).toISOString(), dir, line: line.slice(0, MAX_LINE_CHARS) };
      ring.push(kept);
      if (ring.length > MAX_LINES) ring.shift();
      for (const listener of listeners) listener(JSON.stringify(kept));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
