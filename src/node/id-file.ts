/**
 * A set of ids that only grows, on disk: 16 bytes each, so that a conversation of any length remembers every id it ever had without holding
 * them in memory. Looking up reads the file in pieces: 100,000 ids are 1.6 MB.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode } from './atomic-file.ts';
import { createSerial } from './serial.ts';

export interface IdFile {
  has(id: string): Promise<boolean>;
  /** Ids that are there already are not written again. */
  add(ids: readonly string[]): Promise<void>;
  /** Everything added so far is on disk. */
  drain(): Promise<void>;
}

export interface IdFileOptions {
  readonly path: string;
  /** All ids, for a file that does not exist yet. */
  readonly rebuild: () => Promise<readonly string[]>;
}

/** Of SHA-256: two ids never meet by accident. */
const RECORD_BYTES = 16;
/** One read; a multiple of a record. */
const CHUNK_BYTES = 64 * 1024;

export function createIdFile({ path, rebuild }: IdFileOptions): IdFile {
  let opening: Promise<void> | null = null;
  const writes = createSerial();

  const write = (records: readonly Buffer[]): Promise<void> => writes.run(() => appendRecords(path, records));

  /** Once per process: a new file gets all ids there are. */
  const ensure = (): Promise<void> => {
    opening ??= (async () => {
      if (await exists(path)) return;
      await appendRecords(path, (await rebuild()).map(recordOf));
    })();
    // A disk that was full is tried again.
    opening.catch(() => {
      opening = null;
    });
    return opening;
  };

  const find = async (records: readonly Buffer[]): Promise<boolean[]> => {
    await writes.idle();
    return lookUp(path, records);
  };

  return {
    async has(id) {
      await ensure();
      const [isThere] = await find([recordOf(id)]);
      return isThere === true;
    },
    async add(ids) {
      await ensure();
      const records = [...new Set(ids)].map(recordOf);
      const there = await find(records);
      await write(records.filter((_, at) => there[at] === false));
    },
    drain: writes.idle,
  };
}

const recordOf = (id: string): Buffer => createHash('sha256').update(id).digest().subarray(0, RECORD_BYTES);

async function exists(path: string): Promise<boolean> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  await handle?.close();
  return handle !== null;
}

/** Behind the last whole record: a torn one is overwritten. */
async function appendRecords(path: string, records: readonly Buffer[]): Promise<void> {
  const handle = await open(path, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    const torn = size % RECORD_BYTES;
    if (torn > 0) await handle.truncate(size - torn);
    if (records.length === 0) return;
    await handle.appendFile(Buffer.concat(records));
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function lookUp(path: string, records: readonly Buffer[]): Promise<boolean[]> {
  const found = records.map(() => false);
  if (records.length === 0) return found;
  const handle = await open(path, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let at = 0; ; ) {
      const bytes = await readWhole(handle, chunk, at);
      const whole = chunk.subarray(0, bytes - (bytes % RECORD_BYTES));
      for (const [index, record] of records.entries()) found[index] ||= holds(whole, record);
      if (bytes < CHUNK_BYTES) return found;
      at += CHUNK_BYTES;
    }
  } finally {
    await handle.close();
  }
}

async function readWhole(handle: FileHandle, into: Buffer, from: number): Promise<number> {
  let bytes = 0;
  while (bytes < into.length) {
    const { bytesRead } = await handle.read(into, bytes, into.length - bytes, from + bytes);
    if (bytesRead === 0) break;
    bytes += bytesRead;
  }
  return bytes;
}

/** Only at the beginning of a record: the end of one and the beginning of the next are no id. */
function holds(chunk: Buffer, record: Buffer): boolean {
  for (let at = chunk.indexOf(record); at >= 0; at = chunk.indexOf(record, at + 1))
    if (at % RECORD_BYTES === 0) return true;
  return false;
}
