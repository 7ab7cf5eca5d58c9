/** The last raw lines to and from Codex, kept only while debug mode is on: in memory, and all of them in a file. */
import type { Clock } from '../node/clock.ts';
import type { DebugFile } from './debug-file.ts';

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

/** A login sends the key of the person's account; nobody needs it to find a fault. */
const SECRET = /("(?:apiKey|api_key|accessToken|refreshToken|idToken)"\s*:\s*")(?:[^"\\]|\\.)*"/g;

export function createDebugRing(clock: Clock, isEnabledAtStart: boolean, file: DebugFile): RawTap & { close(): void } {
  const ring: { at: string; dir: 'in' | 'out'; line: string }[] = [];
  const listeners = new Set<(line: string) => void>();
  let isEnabled = isEnabledAtStart;
  return {
    isEnabled: () => isEnabled,
    setEnabled(enabled) {
      isEnabled = enabled;
      if (enabled) return;
      ring.length = 0;
      file.close();
    },
    lines: (limit) => ring.slice(-limit),
    note(dir, line) {
      if (!isEnabled) return;
      const at = new Date(clock.now()).toISOString();
      const safe = line.replace(SECRET, '$1[redacted]"');
      const kept = { at, dir, line: safe.slice(0, MAX_LINE_CHARS) };
      file.write(JSON.stringify({ at, dir, line: safe }));
      ring.push(kept);
      if (ring.length > MAX_LINES) ring.shift();
      for (const listener of listeners) listener(JSON.stringify(kept));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: file.close,
  };
}
