/** The newest bytes of a terminal on disk, by absolute offset, in segments of which the oldest go first. */
import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface Journal {
  /** First offset that can still be read. */
  start(): number;
  /** Behind the last byte. */
  end(): number;
  append(bytes: Buffer): void;
  /** At most `max` bytes from `from`, which must lie between start and end. */
  read(from: number, max: number): Buffer;
  close(): void;
}

/** Cut small, so that little goes at a time. */
const SEGMENT_BYTES = 1024 * 1024;
/** More than the tail of a block and than a viewer may be behind. */
const MAX_SEGMENTS = 8;

interface Segment {
  readonly from: number;
  readonly path: string;
  size: number;
}

/** `onEvict` is told before bytes go, while they can still be read. */
export function openJournal(dir: string, onEvict: (upTo: number) => void): Journal {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const segments = findSegments(dir);
  let fd: number | null = null;
  let end = segments.reduce((last, segment) => Math.max(last, segment.from + segment.size), 0);
  /** A full disk: what could not be written is not there, but offsets go on. */
  let gapEnd = 0;

  const startNew = (): Segment => {
    if (fd !== null) closeSync(fd);
    const path = join(dir, `${String(end).padStart(16, '0')}.seg`);
    fd = openSync(path, 'a', 0o600);
    const segment = { from: end, path, size: 0 };
    segments.push(segment);
    while (segments.length > MAX_SEGMENTS) {
      onEvict(segments[1]?.from ?? end);
      const gone = segments.shift();
      if (gone !== undefined) rmSync(gone.path, { force: true });
    }
    return segment;
  };

  const start = () => Math.max(gapEnd, segments[0]?.from ?? end);

  return {
    start,
    end: () => end,
    append(bytes) {
      try {
        const last = segments.at(-1);
        const segment = fd === null || last === undefined || last.size >= SEGMENT_BYTES ? startNew() : last;
        if (fd !== null) writeAll(fd, bytes);
        segment.size += bytes.length;
        end += bytes.length;
      } catch {
        end += bytes.length;
        gapEnd = end;
        if (fd !== null) closeSync(fd);
        fd = null;
        for (const { path } of segments.splice(0)) rmSync(path, { force: true });
      }
    },
    read(from, max) {
      const parts: Buffer[] = [];
      let at = from;
      const stop = Math.min(end, from + max);
      for (const segment of segments) {
        const segmentEnd = segment.from + segment.size;
        if (at >= stop || segmentEnd <= at || segment.from > at) continue;
        const part = readPart(segment.path, at - segment.from, Math.min(stop, segmentEnd) - at);
        parts.push(part);
        at += part.length;
      }
      return Buffer.concat(parts);
    },
    close() {
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
}

function findSegments(dir: string): Segment[] {
  return readdirSync(dir)
    .filter((name) => /^\d{16}\.seg$/.test(name))
    .sort()
    .map((name) => ({ from: Number(name.slice(0, 16)), path: join(dir, name), size: statSync(join(dir, name)).size }));
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function readPart(path: string, position: number, size: number): Buffer {
  const fd = openSync(path, 'r');
  try {
    const part = Buffer.allocUnsafe(size);
    let got = 0;
    while (got < size) {
      const count = readSync(fd, part, got, size - got, position + got);
      if (count === 0) break;
      got += count;
    }
    return part.subarray(0, got);
  } finally {
    closeSync(fd);
  }
}
