/**
 * The log of one shell, addressed by bytes since its first start. The process itself writes the file, also while nobody watches, so a
 * rotation may neither rename it (the process would go on in the old one) nor cut it (bytes written meanwhile would be lost): the old part is
 * copied to an archive and then punched out of the file, which keeps its offsets. Where that cannot be done, the file just grows.
 */
import { execFile } from 'node:child_process';
import { constants, openSync } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { LogPage } from '../../contract/shellspec.ts';
import { decodeCut, startOfLastLines } from '../../core/shells/log-text.ts';

export interface ShellLog {
  readonly path: string;
  /** For the process to write to. The caller closes it. */
  openForWriting(): number;
  size(): Promise<number>;
  /** From `offset` on, never inside a character. */
  read(offset: number, maxBytes: number): Promise<LogPage>;
  /** The last lines, as far as they fit. */
  tail(lines: number, maxBytes: number): Promise<LogPage>;
  /** Lines that hold the text, whatever the case; the last `limit` of them. */
  search(text: string, limit: number): Promise<LogHits>;
  /** Moves what is old out of the way; `save` makes the new beginning outlast us. */
  rotate(save: (base: number) => Promise<void>): Promise<void>;
  remove(): Promise<void>;
}

export interface LogHits {
  readonly lines: { readonly offset: number; readonly text: string }[];
  readonly is_complete: boolean;
}

interface Segment {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** What is added to an offset to get the place in the file. */
  readonly shift: number;
}

interface LogLimits {
  /** What the file itself may hold before the older part becomes an archive. */
  readonly liveBytes: number;
  readonly archives: number;
}

/** Half a day of a chatty server in four archives; more belongs into a real log store. */
const LOG_LIMITS: LogLimits = { liveBytes: 16 * 1024 * 1024, archives: 4 };
const CHUNK_BYTES = 256 * 1024;
/** Blocks can be given back to the disk only whole. */
const BLOCK_BYTES = 4096;
/** A line longer than this is searched and shown in pieces. */
const MAX_LINE_BYTES = 64 * 1024;

export async function openShellLog(path: string, base: number, limits: LogLimits = LOG_LIMITS): Promise<ShellLog> {
  let archives = await listArchives(path);
  let liveFrom = base;
  let canRotate = true;

  const size = async () => (await stat(path).catch(() => null))?.size ?? 0;

  const segments = async (): Promise<Segment[]> => {
    const live = { path, from: liveFrom, to: Math.max(liveFrom, await size()), shift: 0 };
    return [...archives.filter((one) => one.to <= liveFrom), live];
  };

  const readPiece = async (offset: number, count: number): Promise<{ bytes: Uint8Array; at: number }> => {
    const all = await segments();
    const segment = all.find((one) => offset < one.to);
    if (segment === undefined) return { bytes: new Uint8Array(), at: all.at(-1)?.to ?? 0 };
    const at = Math.max(offset, segment.from);
    const wanted = Math.min(count, segment.to - at);
    return { bytes: await readRange(segment.path, at + segment.shift, wanted), at };
  };

  /** Over the seams between archives: a character may lie on one. */
  const readBytes = async (offset: number, count: number): Promise<{ bytes: Uint8Array; at: number }> => {
    const first = await readPiece(offset, count);
    const parts = [first.bytes];
    for (let have = first.bytes.length; have > 0 && have < count; ) {
      const { bytes } = await readPiece(first.at + have, count - have);
      if (bytes.length === 0) break;
      parts.push(bytes);
      have += bytes.length;
    }
    return { bytes: parts.length === 1 ? first.bytes : Buffer.concat(parts), at: first.at };
  };

  const bounds = async () => {
    const all = await segments();
    return { first: all[0]?.from ?? 0, total: all.at(-1)?.to ?? 0 };
  };

  const page = async (offset: number, maxBytes: number): Promise<LogPage> => {
    const { first, total } = await bounds();
    // Room for one whole character, however little was asked for.
    const { bytes, at } = await readBytes(Math.min(Math.max(offset, first), total), Math.max(4, maxBytes));
    const cut = decodeCut(bytes, at === 0);
    return {
      text: cut.text,
      offset: at + cut.skipped,
      next_offset: at + bytes.length - cut.held,
      first_offset: first,
      total_bytes: total,
    };
  };

  const tail = async (lines: number, maxBytes: number): Promise<LogPage> => {
    const { first, total } = await bounds();
    const floor = Math.max(first, total - maxBytes);
    for (let span = CHUNK_BYTES; ; span *= 2) {
      const from = Math.max(floor, total - span);
      const { bytes, at } = await readBytes(from, total - from);
      const begin = startOfLastLines(bytes, lines);
      if (begin !== null) return page(at + begin, total - at - begin);
      if (from === floor) return page(from, Math.max(1, total - from));
    }
  };

  const search = async (text: string, limit: number): Promise<LogHits> => {
    const needle = text.toLowerCase();
    const lines: { offset: number; text: string }[] = [];
    let dropped = false;
    for await (const line of eachLine(bounds, readBytes)) {
      if (!line.text.toLowerCase().includes(needle)) continue;
      lines.push(line);
      if (lines.length <= limit) continue;
      lines.shift();
      dropped = true;
    }
    return { lines, is_complete: !dropped };
  };

  const rotate = async (save: (base: number) => Promise<void>): Promise<void> => {
    const total = await size();
    const cut = total - (total % BLOCK_BYTES);
    if (!canRotate || total - liveFrom <= limits.liveBytes || cut <= liveFrom) return;
    const from = liveFrom;
    const archive: Segment = { path: `${path}.${from}`, from, to: cut, shift: -from };
    await copyRange(path, archive.path, from, cut);
    archives.push(archive);
    // Readers go to the archive before the file loses its part.
    liveFrom = cut;
    await save(cut);
    if (!(await punch(path, from, cut - from))) {
      canRotate = false;
      liveFrom = from;
      archives.pop();
      await save(from);
      await rm(archive.path, { force: true });
      return;
    }
    const surplus = archives.splice(0, Math.max(0, archives.length - limits.archives));
    for (const one of surplus) await rm(one.path, { force: true });
  };

  return {
    path,
    openForWriting: () =>
      openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW, 0o600),
    size,
    read: page,
    tail,
    search,
    rotate,
    async remove() {
      for (const one of archives) await rm(one.path, { force: true });
      archives = [];
      await rm(path, { force: true });
    },
  };
}

async function* eachLine(
  bounds: () => Promise<{ first: number; total: number }>,
  readBytes: (offset: number, count: number) => Promise<{ bytes: Uint8Array; at: number }>,
): AsyncGenerator<{ offset: number; text: string }> {
  const { first, total } = await bounds();
  let rest: Uint8Array = new Uint8Array();
  for (let next = first; next < total; ) {
    const { bytes, at } = await readBytes(next, Math.min(CHUNK_BYTES, total - next));
    if (bytes.length === 0) break;
    next = at + bytes.length;
    const whole = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const begin = next - whole.length;
    let from = 0;
    for (let end = whole.indexOf(10); end >= 0; end = whole.indexOf(10, from)) {
      yield { offset: begin + from, text: decodeCut(whole.subarray(from, end), true).text };
      from = end + 1;
    }
    rest = whole.subarray(from);
    if (rest.length > MAX_LINE_BYTES || (next >= total && rest.length > 0)) {
      yield { offset: next - rest.length, text: decodeCut(rest, true).text };
      rest = new Uint8Array();
    }
  }
}

async function listArchives(path: string): Promise<Segment[]> {
  const prefix = `${basename(path)}.`;
  const names = await readdir(dirname(path)).catch(() => []);
  const found: Segment[] = [];
  for (const name of names) {
    const from = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    if (!/^\d+$/.test(from)) continue;
    const file = join(dirname(path), name);
    const { size } = await stat(file);
    found.push({ path: file, from: Number(from), to: Number(from) + size, shift: -Number(from) });
  }
  return found.sort((a, b) => a.from - b.from);
}

async function readRange(path: string, position: number, count: number): Promise<Uint8Array> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return new Uint8Array();
  }
  try {
    const bytes = Buffer.alloc(Math.max(0, count));
    let done = 0;
    while (done < bytes.length) {
      const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  } finally {
    await handle.close();
  }
}

async function copyRange(from: string, to: string, begin: number, end: number): Promise<void> {
  const temporary = `${to}.tmp`;
  const target = await open(temporary, 'w', 0o600);
  try {
    for (let at = begin; at < end; at += CHUNK_BYTES) {
      await target.writeFile(await readRange(from, at, Math.min(CHUNK_BYTES, end - at)));
    }
    await target.sync();
  } finally {
    await target.close();
  }
  await rename(temporary, to);
}

/** It only frees blocks; a disk that takes longer hangs. */
const PUNCH_LIMIT = { timeout: 10_000, killSignal: 'SIGKILL' } as const;

/** Gives the blocks back to the disk; every offset stays where it is. `fallocate` is part of every Linux; other systems have none. */
async function punch(path: string, offset: number, length: number): Promise<boolean> {
  try {
    const range = ['--offset', String(offset), '--length', String(length)];
    await promisify(execFile)('fallocate', ['--punch-hole', '--keep-size', ...range, path], PUNCH_LIMIT);
    return true;
  } catch {
    return false;
  }
}
