/** A page of lines of a file, and whole small images, for the viewer of the page. */
import type { FileHandle } from 'node:fs/promises';
import { ok, type Result } from '../../contract/result.ts';
import type { RouteOutput } from '../../contract/routes.ts';
import { imageTypeOf, isBinary } from '../../core/files/media-type.ts';
import { openInside, type Root } from './open-inside.ts';

/** More than a screen of any width shows of one line; minified files have lines of megabytes. */
const MAX_LINE_CHARS = 4_000;
/** Text of one answer. */
const MAX_PAGE_BYTES = 512 * 1024;
/** How far lines are counted. A log of gigabytes is read in a terminal; this much takes a tenth of a second. */
const MAX_SCAN_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const HEAD_BYTES = 8 * 1024;
/** Sent as base64 inside JSON; a screenshot of a large screen has a few MB. */
const MAX_IMAGE_BYTES = 8 * 1024 * 1024;

export type FileRead = RouteOutput<'readFile'>;

export interface LineWish {
  readonly path: string;
  readonly from_line: number;
  readonly limit: number;
}

export async function readFilePage(root: Root, { path: named, from_line, limit }: LineWish): Promise<Result<FileRead>> {
  const opened = await openInside(root, named);
  if (!opened.ok) return opened;
  const { handle, path, relative, size } = opened.value;
  try {
    const head = await readHead(handle);
    const image = imageTypeOf(head);
    const common = { path, relative_path: relative, size, from_line, lines: [], total_lines: null, is_cut: false };
    if (image !== null) return ok({ ...common, kind: 'image' });
    if (isBinary(head)) return ok({ ...common, kind: 'binary' });
    return ok({ ...common, kind: 'text', ...(await readLines(handle, from_line, limit)) });
  } finally {
    await handle.close();
  }
}

export async function readImageFile(root: Root, named: string): Promise<RouteOutput<'readImage'>> {
  const opened = await openInside(root, named);
  if (!opened.ok) return noImage(opened.error.message);
  const { handle, size } = opened.value;
  try {
    const type = imageTypeOf(await readHead(handle));
    if (type === null) return noImage(`${named} is no PNG, JPEG, GIF or WebP image`);
    if (size > MAX_IMAGE_BYTES) return noImage(`${named} has more than ${MAX_IMAGE_BYTES} bytes`);
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await handle.read(bytes, 0, size, 0);
    return { media_type: type, data: bytes.subarray(0, bytesRead).toString('base64'), reason: null };
  } finally {
    await handle.close();
  }
}

const noImage = (reason: string): RouteOutput<'readImage'> => ({ media_type: null, data: '', reason });

async function readHead(handle: FileHandle): Promise<Buffer> {
  const head = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0);
  return head.subarray(0, bytesRead);
}

const NEWLINE = 0x0a;

/** Reads from the start, since lines have no index: counts up to the wanted line, keeps a page, and counts on for the total. */
async function readLines(
  handle: FileHandle,
  fromLine: number,
  limit: number,
): Promise<Pick<FileRead, 'lines' | 'total_lines' | 'is_cut'>> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const kept: Buffer[] = [];
  let keptBytes = 0;
  /** Complete lines before the current byte. */
  let ended = 0;
  let at = 0;
  let isEnd = false;
  let last = NEWLINE;
  const toLine = fromLine - 1 + limit;
  while (at < MAX_SCAN_BYTES) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) {
      isEnd = true;
      break;
    }
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0 && end < bytesRead; end = chunk.indexOf(NEWLINE, from)) {
      if (ended >= fromLine - 1 && ended < toLine) keep(chunk.subarray(from, end + 1));
      ended += 1;
      from = end + 1;
    }
    if (from < bytesRead && ended >= fromLine - 1 && ended < toLine) keep(chunk.subarray(from, bytesRead));
    last = chunk[bytesRead - 1] ?? NEWLINE;
    at += bytesRead;
  }
  const text = Buffer.concat(kept).toString('utf8');
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const isLong = lines.some((line) => line.length > MAX_LINE_CHARS);
  return {
    lines: lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line).slice(0, MAX_LINE_CHARS)),
    total_lines: isEnd ? ended + Number(last !== NEWLINE) : null,
    is_cut: isLong || keptBytes > MAX_PAGE_BYTES,
  };

  function keep(part: Buffer): void {
    keptBytes += part.length;
    // The line feeds of lines that are not kept are: the numbers of the lines after them stay right.
    if (keptBytes > MAX_PAGE_BYTES) kept.push(part.at(-1) === NEWLINE ? Buffer.from('\n') : Buffer.alloc(0));
    else kept.push(Buffer.from(part));
  }
}
