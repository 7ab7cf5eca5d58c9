/** The paths of a tree in one byte buffer, with what the search asks of each kept beside it. Grows while a listing streams in. */

/** Path `i` is `bytes[starts[i] .. starts[i + 1] - 1)`; the byte after it is NUL. */
export interface PathTable {
  bytes: Uint8Array;
  starts: Uint32Array;
  /** Which characters occur in the path, and in its last segment: one bit each. */
  masks: Uint32Array;
  baseMasks: Uint32Array;
  /** Where the last segment begins within the path. */
  bases: Uint16Array;
  /** Slashes in the path; 255 means that many or more. */
  depths: Uint8Array;
  count: number;
}

export interface PathLister {
  readonly files: PathTable;
  /** Every directory that holds a file, at any depth; without a slash at the end. */
  readonly directories: PathTable;
  /** Paths that were refused: too long, absolute, or leading out. */
  refused(): number;
  /** Takes in NUL-separated paths; the last one of a chunk may go on in the next. */
  push(chunk: Uint8Array): void;
  /** No more will come: gives back the room that growing left over. */
  finish(): void;
}

/** Linux allows 4,096 bytes; a longer one can be neither opened nor sent. */
const MAX_PATH_BYTES = 4_096;
const FIRST_BYTES = 64 * 1024;
const FIRST_PATHS = 1_024;
const FIRST_SLOTS = 1_024;
export const SLASH = 0x2f;
const DOT = 0x2e;
const OTHER_BIT = 1 << 30;

/** ASCII letters in small; every other byte is itself. */
export const SMALL = Uint8Array.from({ length: 256 }, (_none, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);

/** The bit of each byte: a letter its own, digits one, and so on. A slash has none: nearly every path has it. */
export const BITS = Uint32Array.from({ length: 256 }, (_none, byte) => {
  const small = SMALL[byte] ?? 0;
  if (small >= 0x61 && small <= 0x7a) return 1 << (small - 0x61);
  if (small >= 0x30 && small <= 0x39) return 1 << 26;
  if (small === 0x2d || small === 0x5f) return 1 << 27;
  if (small === DOT) return 1 << 28;
  if (small >= 0x80) return 1 << 29;
  return small === SLASH ? 0 : OTHER_BIT;
});

function createPathTable(): PathTable {
  return {
    bytes: new Uint8Array(FIRST_BYTES),
    starts: new Uint32Array(FIRST_PATHS + 1),
    masks: new Uint32Array(FIRST_PATHS),
    baseMasks: new Uint32Array(FIRST_PATHS),
    bases: new Uint16Array(FIRST_PATHS),
    depths: new Uint8Array(FIRST_PATHS),
    count: 0,
  };
}

/** Bytes that the table holds in memory. */
export function sizeOf(table: PathTable): number {
  return [table.bytes, table.starts, table.masks, table.baseMasks, table.bases, table.depths].reduce(
    (sum, part) => sum + part.byteLength,
    0,
  );
}

export function createPathLister(): PathLister {
  const files = createPathTable();
  const directories = createPathTable();
  const known = createDirectorySet(directories);
  let refused = 0;
  let rest: Uint8Array = new Uint8Array(0);
  /** The directory of the file before: listings come mostly directory by directory. */
  let lastStart = 0;
  let lastLength = -1;

  const take = (source: Uint8Array, from: number, to: number) => {
    if (!isInside(source, from, to)) {
      refused += 1;
      return;
    }
    append(files, source, from, to);
    const start = files.starts[files.count - 1] ?? 0;
    const length = (files.bases[files.count - 1] ?? 0) - 1;
    if (length > 0 && !(length === lastLength && isEqual(files.bytes, start, files.bytes, lastStart, length))) {
      known.add(files.bytes, start, length);
    }
    lastStart = start;
    lastLength = length;
  };

  return {
    files,
    directories,
    refused: () => refused,
    push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
        if (rest.length > 0) {
          const whole = join(rest, chunk.subarray(0, end));
          rest = new Uint8Array(0);
          take(whole, 0, whole.length);
        } else {
          take(chunk, from, end);
        }
        from = end + 1;
      }
      if (from < chunk.length) rest = join(rest, chunk.subarray(from));
    },
    finish() {
      for (const table of [files, directories]) trim(table);
      known.forget();
    },
  };
}

/** Relative, without an empty, `.` or `..` segment. */
function isInside(bytes: Uint8Array, from: number, to: number): boolean {
  if (to === from || to - from > MAX_PATH_BYTES) return false;
  let start = from;
  for (let at = from; at <= to; at += 1) {
    if (at < to && bytes[at] !== SLASH) continue;
    const length = at - start;
    if (length === 0) return false;
    if (length <= 2 && bytes[start] === DOT && bytes[at - 1] === DOT) return false;
    start = at + 1;
  }
  return true;
}

function append(table: PathTable, source: Uint8Array, from: number, to: number): void {
  const start = table.starts[table.count] ?? 0;
  makeRoom(table, start + to - from + 1);
  const { bytes } = table;
  let [mask, baseMask, base, depth] = [0, 0, 0, 0];
  for (let at = from; at < to; at += 1) {
    const byte = source[at] ?? 0;
    bytes[start + at - from] = byte;
    if (byte === SLASH) {
      mask |= baseMask;
      baseMask = 0;
      base = at - from + 1;
      depth += 1;
    } else {
      baseMask |= BITS[byte] ?? 0;
    }
  }
  const end = start + to - from;
  bytes[end] = 0;
  table.masks[table.count] = mask | baseMask;
  table.baseMasks[table.count] = baseMask;
  table.bases[table.count] = base;
  table.depths[table.count] = Math.min(depth, 255);
  table.count += 1;
  table.starts[table.count] = end + 1;
}

function makeRoom(table: PathTable, bytes: number): void {
  if (bytes > table.bytes.length) {
    const grown = new Uint8Array(Math.max(bytes, Math.floor(table.bytes.length * 1.5)));
    grown.set(table.bytes);
    table.bytes = grown;
  }
  if (table.count + 1 < table.starts.length) return;
  resize(table, Math.floor(table.count * 1.5));
}

function trim(table: PathTable): void {
  table.bytes = table.bytes.slice(0, table.starts[table.count] ?? 0);
  resize(table, table.count);
}

function resize(table: PathTable, paths: number): void {
  const { starts, masks, baseMasks, bases, depths, count } = table;
  table.starts = new Uint32Array(paths + 1);
  table.starts.set(starts.subarray(0, count + 1));
  table.masks = new Uint32Array(paths);
  table.masks.set(masks.subarray(0, count));
  table.baseMasks = new Uint32Array(paths);
  table.baseMasks.set(baseMasks.subarray(0, count));
  table.bases = new Uint16Array(paths);
  table.bases.set(bases.subarray(0, count));
  table.depths = new Uint8Array(paths);
  table.depths.set(depths.subarray(0, count));
}

/** Which directories the table has: open addressing over the table's own bytes, so that no text is made. */
function createDirectorySet(table: PathTable) {
  let slots = new Int32Array(FIRST_SLOTS).fill(-1);

  const find = (bytes: Uint8Array, from: number, length: number): number => {
    let slot = hash(bytes, from, length) & (slots.length - 1);
    for (let index = slots[slot] ?? -1; index !== -1; index = slots[slot] ?? -1) {
      const start = table.starts[index] ?? 0;
      const isSameLength = (table.starts[index + 1] ?? 0) - 1 - start === length;
      if (isSameLength && isEqual(table.bytes, start, bytes, from, length)) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  };

  const grow = () => {
    slots = new Int32Array(slots.length * 2).fill(-1);
    for (let index = 0; index < table.count; index += 1) {
      const start = table.starts[index] ?? 0;
      slots[find(table.bytes, start, (table.starts[index + 1] ?? 0) - 1 - start)] = index;
    }
  };

  return {
    /** It and every directory above it. */
    add(bytes: Uint8Array, from: number, length: number) {
      for (let end = length; end > 0; end = lastSlash(bytes, from, end)) {
        const slot = find(bytes, from, end);
        if (slots[slot] !== -1) return;
        append(table, bytes, from, from + end);
        slots[slot] = table.count - 1;
        if (table.count * 2 > slots.length) grow();
      }
    },
    forget() {
      slots = new Int32Array(0);
    },
  };
}

/** The length of the part before the last slash; 0 when there is none. */
function lastSlash(bytes: Uint8Array, from: number, length: number): number {
  let at = length - 1;
  while (at > 0 && bytes[from + at] !== SLASH) at -= 1;
  return at;
}

function hash(bytes: Uint8Array, from: number, length: number): number {
  let value = 0x811c9dc5;
  for (let at = from; at < from + length; at += 1) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}

function isEqual(a: Uint8Array, aFrom: number, b: Uint8Array, bFrom: number, length: number): boolean {
  for (let at = 0; at < length; at += 1) if (a[aFrom + at] !== b[bFrom + at]) return false;
  return true;
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
