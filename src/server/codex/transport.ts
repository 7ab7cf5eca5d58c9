/** The port between JSON-RPC and bytes: whole lines in, whole lines out, one close. */
import type { Line } from '../../core/text/lines.ts';

export interface TransportEvents {
  readonly onLine: (line: Line) => void;
  /** Called once, also when we closed it. */
  readonly onClose: (reason: string) => void;
}

export interface Transport {
  /** Longest line the other side takes. */
  readonly maxSendBytes: number;
  send(line: string): void;
  close(): void;
}
