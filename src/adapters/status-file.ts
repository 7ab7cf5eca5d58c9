/** How an adapter is doing, in a file that commands and the doctor read. */
import type { AdapterStatus } from '../contract/adapter.ts';
import { writeFileAtomic } from '../node/atomic-file.ts';
import type { Clock, Timer } from '../node/clock.ts';
import { adapterStatusPath } from '../node/places.ts';
import { createSerial } from '../node/serial.ts';

export interface StatusFile {
  current(): AdapterStatus;
  change(change: Partial<AdapterStatus>): void;
  count(name: 'taken' | 'duplicates' | 'refused' | 'deferred', by?: number): void;
  close(): Promise<void>;
}

/** Counts change with each message; whoever looks does so by hand. */
const WRITE_MS = 500;

export function createStatusFile(home: string, first: AdapterStatus, clock: Clock): StatusFile {
  let status = first;
  let timer: Timer | null = null;
  const writing = createSerial();
  const write = (): Promise<void> =>
    writing.run(async () => {
      const text = `${JSON.stringify({ ...status, updated_at: new Date(clock.now()).toISOString() })}\n`;
      // A disk that is full, or a folder that the server has just removed, stops no message.
      await writeFileAtomic(adapterStatusPath(home, status.name), text).catch(() => undefined);
    });
  const change = (more: Partial<AdapterStatus>): void => {
    const isNewState = more.state !== undefined && more.state !== status.state;
    status = { ...status, ...more };
    if (isNewState) void write();
    else
      timer ??= clock.setTimer(WRITE_MS, () => {
        timer = null;
        void write();
      });
  };
  return {
    current: () => status,
    change,
    count: (name, by = 1) => change({ [name]: status[name] + by }),
    async close() {
      timer?.cancel();
      await write();
    },
  };
}
