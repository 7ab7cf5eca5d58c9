/** How far each reader has read: `board/readers.json`. A mark never goes back. */
import { join } from 'node:path';
import { ReadersFile } from '../../contract/board.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import { readJson } from '../../node/read-json.ts';
import { createSerial } from '../../node/serial.ts';

export interface Readers {
  of(reader: string): number;
  mark(reader: string, num: number): Promise<void>;
}

/** People, conversations and scripts of one home; the one that marked longest ago gives way. */
const MAX_READERS = 2_000;

export async function openReaders(dir: string): Promise<Readers> {
  const path = join(dir, 'readers.json');
  const marks = new Map(Object.entries(await load(path)));
  const saving = createSerial();
  return {
    of: (reader) => marks.get(reader) ?? 0,
    mark(reader, num) {
      const before = marks.get(reader) ?? 0;
      marks.delete(reader);
      marks.set(reader, Math.max(before, num));
      const oldest = marks.keys().next();
      if (marks.size > MAX_READERS && !oldest.done) marks.delete(oldest.value);
      if (num <= before) return Promise.resolve();
      const text = `${JSON.stringify({ readers: Object.fromEntries(marks) })}\n`;
      return saving.run(() => writeFileAtomic(path, text));
    },
  };
}

/** A damaged file costs the marks, nothing else. */
async function load(path: string): Promise<Record<string, number>> {
  return (await readJson(path, ReadersFile))?.readers ?? {};
}
