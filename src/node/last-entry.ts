/** The newest entry of a log, from its last bytes: for lists that must not open every log. */
import { open } from 'node:fs/promises';

/** Most entries are smaller; the largest outputs we keep are a quarter of the last step. */
const STEPS = [4 * 1024, 64 * 1024, 1024 * 1024];

/** 0 when there is none, or none that can be found cheaply: the log itself is asked when it is opened. */
export async function readLastSeq(path: string): Promise<number> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return 0;
  try {
    const { size } = await file.stat();
    for (const step of STEPS) {
      const bytes = Buffer.alloc(Math.min(step, size));
      await file.read(bytes, 0, bytes.length, size - bytes.length);
      const lines = bytes.toString('utf8').split('\n');
      // The first piece may be the end of a line whose beginning was not read.
      const whole = bytes.length === size ? lines : lines.slice(1);
      const seq = whole.map((line) => /^\{"seq":(\d+),.*\}$/.exec(line)?.[1]).findLast((found) => found !== undefined);
      if (seq !== undefined) return Number(seq);
      if (bytes.length === size) return 0;
    }
    return 0;
  } finally {
    await file.close();
  }
}
