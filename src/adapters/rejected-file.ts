/** Messages that are no events, with the reason: on disk before the broker is told to forget them. */
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../node/clock.ts';
import { createSerial } from '../node/serial.ts';

export interface RejectedFile {
  keep(subject: string, reason: string, body: Uint8Array): Promise<void>;
}

/** Then the file is set aside and a new one begins; the one before that is replaced, so there are at most two. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Enough to see what it is. */
const MAX_BODY_BYTES = 16 * 1024;

export function createRejectedFile(path: string, clock: Clock): RejectedFile {
  const writing = createSerial();
  return {
    keep: (subject, reason, body) =>
      writing.run(async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const size = await stat(path).then(
          (found) => found.size,
          () => 0,
        );
        if (size > MAX_FILE_BYTES) await rename(path, `${path}.1`);
        const text = Buffer.from(body.subarray(0, MAX_BODY_BYTES)).toString('utf8');
        const line = { ts: new Date(clock.now()).toISOString(), subject, reason, bytes: body.length, text };
        const file = await open(path, 'a', 0o600);
        try {
          await file.write(`${JSON.stringify(line)}\n`);
          await file.sync();
        } finally {
          await file.close();
        }
      }),
  };
}
