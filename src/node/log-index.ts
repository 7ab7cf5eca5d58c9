/** The offset index of a log: where each entry lies, 16 bytes per entry, in memory exactly as on disk. Shared by append-log and read-log. */

/** Good entries in rising `seq`. They are dense unless the file was damaged or edited by hand. */
export interface LogIndex {
  readonly firstSeq: number;
  /** Also the number of entries that can be read. */
  count(): number;
  /** `firstSeq - 1` while there are none. */
  lastSeq(): number;
  /** The file offset just behind the last entry and its newline. */
  end(): number;
  push(entry: EntryPlace): void;
  at(position: number): EntryPlace;
  /** The position of the first entry whose seq is not below `seq`; `count()` when there is none. */
  lowerBound(seq: number): number;
  /** The raw records of the positions from `from` on, for the index file. */
  records(from: number): Buffer[];
}

export interface EntryPlace {
  seq: number;
  offset: number;
  /** In bytes, without the newline. */
  length: number;
}

export const RECORD_BYTES = 16;
/** The record keeps `seq - firstSeq` in 32 bits; half of that leaves as many to append even after the last acceptable entry. */
export const MAX_SEQ_SPAN = 2 ** 31;

/** 64 KiB of records: appending never copies more than this, and at most this much is unused. */
const SEGMENT_RECORDS = 4096;
/** Most conversations are short, and many are open at once. */
const FIRST_SEGMENT_RECORDS = 32;

/** `records`, when given, are whole records in rising order and belong to the index from then on. */
export function createLogIndex(firstSeq: number, records: Buffer = Buffer.alloc(0)): LogIndex {
  const segments: Buffer[] = [];
  for (let start = 0; start < records.length; start += SEGMENT_RECORDS * RECORD_BYTES) {
    segments.push(records.subarray(start, start + SEGMENT_RECORDS * RECORD_BYTES));
  }
  let count = records.length / RECORD_BYTES;
  let lastSeq = firstSeq - 1;
  let end = 0;

  const at = (position: number): EntryPlace => {
    const segment = segments[Math.floor(position / SEGMENT_RECORDS)];
    if (segment === undefined || position >= count) throw new RangeError(`no entry at position ${position}`);
    const view = new DataView(segment.buffer, segment.byteOffset, segment.length);
    return decodeRecord(view, (position % SEGMENT_RECORDS) * RECORD_BYTES, firstSeq);
  };
  const setLast = (entry: EntryPlace): void => {
    lastSeq = entry.seq;
    end = entryEnd(entry);
  };
  if (count > 0) setLast(at(count - 1));

  return {
    firstSeq,
    count: () => count,
    lastSeq: () => lastSeq,
    end: () => end,
    push(entry) {
      if (entry.seq <= lastSeq || entry.seq - firstSeq > 2 * MAX_SEQ_SPAN - 1) {
        throw new RangeError(`seq ${entry.seq} cannot follow ${lastSeq}`);
      }
      encodeRecord(segmentWithRoom(segments, count), (count % SEGMENT_RECORDS) * RECORD_BYTES, entry, firstSeq);
      count += 1;
      setLast(entry);
    },
    at,
    lowerBound(seq) {
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if (at(middle).seq < seq) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    records: (from) => sliceRecords(segments, from, count),
  };
}

export function entryEnd(entry: EntryPlace): number {
  return entry.offset + entry.length + 1;
}

/** A view and no `Buffer`: opening a long log decodes every record, and this is several times faster. */
export function decodeRecord(view: DataView, start: number, firstSeq: number): EntryPlace {
  return {
    seq: firstSeq + view.getUint32(start, true),
    length: view.getUint32(start + 4, true),
    offset: view.getFloat64(start + 8, true),
  };
}

function encodeRecord(bytes: Buffer, start: number, entry: EntryPlace, firstSeq: number): void {
  bytes.writeUInt32LE(entry.seq - firstSeq, start);
  bytes.writeUInt32LE(entry.length, start + 4);
  bytes.writeDoubleLE(entry.offset, start + 8);
}

function segmentWithRoom(segments: Buffer[], count: number): Buffer {
  const number = Math.floor(count / SEGMENT_RECORDS);
  const used = count % SEGMENT_RECORDS;
  const current = segments[number];
  if (current !== undefined && current.length > used * RECORD_BYTES) return current;
  const records = number > 0 ? SEGMENT_RECORDS : Math.min(SEGMENT_RECORDS, Math.max(FIRST_SEGMENT_RECORDS, used * 2));
  const grown = Buffer.alloc(records * RECORD_BYTES);
  current?.copy(grown);
  segments[number] = grown;
  return grown;
}

function sliceRecords(segments: Buffer[], from: number, to: number): Buffer[] {
  return segments
    .map((segment, number) => {
      const first = number * SEGMENT_RECORDS;
      return segment.subarray(
        Math.max(0, from - first) * RECORD_BYTES,
        Math.min(SEGMENT_RECORDS, Math.max(0, to - first)) * RECORD_BYTES,
      );
    })
    .filter((part) => part.length > 0);
}
