/** Reads a `.codex` folder of a project that nobody trusts yet: nothing in it may block, exhaust or mislead the reader. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { isRecord } from '../../core/text/is-record.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import { type FolderContent, type FolderFile, type ParsedText, roleOf } from '../../core/trust/folder.ts';
import type { PathStamps } from './path-stamps.ts';

/** The largest project configurations seen have some twenty files of a few kilobytes. */
const MAX_FILES = 256;
const MAX_FILE_BYTES = 512 * 1024;
const MAX_ALL_BYTES = 4 * 1024 * 1024;
/** Codex's own folders are two deep; a link to a parent directory ends here too. */
const MAX_DEPTH = 4;
/** Text for the model that Codex loads whether a project is trusted or not, and prompts, which it does not load from projects. */
const NOT_LOADED = new Set(['.codex/skills', '.codex/prompts']);

/** Null if there is no `.codex` folder. */
export async function readFolder(
  path: string,
  hooksPath: string | null,
  stamps: PathStamps,
): Promise<FolderContent | null> {
  if ((await stamps.content(join(path, '.codex')))?.isDirectory() !== true) return null;
  const reading: Reading = { files: [], stamps, room: { entries: MAX_FILES, bytes: MAX_ALL_BYTES } };
  const cut = await readTree(path, '.codex', 0, reading);
  // Codex takes no hooks from a worktree without a folder of its own.
  if (hooksPath !== null) await readHooks(hooksPath, reading);
  return { path, files: reading.files, cut };
}

interface Reading {
  readonly files: FolderFile[];
  readonly stamps: PathStamps;
  /** What may still be read. Directories count as files do: empty ones, nested, are as many as somebody likes. */
  readonly room: { entries: number; bytes: number };
}

/** Why the reading ended early; null if it did not. */
async function readTree(root: string, name: string, depth: number, reading: Reading): Promise<string | null> {
  const { files, stamps, room } = reading;
  if (NOT_LOADED.has(name)) return null;
  if (depth > MAX_DEPTH) return `${name} is nested too deep`;
  const directory = await opendir(join(root, name)).catch(() => null);
  if (directory === null) return `${name} cannot be read`;
  const names: string[] = [];
  for await (const entry of directory) {
    // Counted before anything is read: a folder with a million names must not be listed to its end.
    if (names.length >= MAX_FILES) return `${name} has more than ${MAX_FILES} files`;
    names.push(entry.name);
  }
  for (const one of names.sort()) {
    const path = `${name}/${one}`;
    if (room.entries <= 0) return `it has more than ${MAX_FILES} files`;
    room.entries -= 1;
    if ((await stamps.content(join(root, path)))?.isDirectory()) {
      const cut = await readTree(root, path, depth + 1, reading);
      if (cut !== null) return cut;
    } else {
      files.push({ path, content: await readContent(join(root, path), path, room) });
    }
  }
  return null;
}

async function readHooks(main: string, { files, stamps, room }: Reading): Promise<void> {
  for (const name of ['.codex/config.toml', '.codex/hooks.json']) {
    const path = join(main, name);
    if ((await stamps.content(path)) === null) continue;
    const content = await readContent(path, path, room);
    files.push({ path, content: name.endsWith('.toml') ? hooksOnly(content) : content });
  }
}

function hooksOnly(content: FolderFile['content']): FolderFile['content'] {
  if (content.state !== 'read' || content.parsed.state !== 'parsed' || !isRecord(content.parsed.value)) return content;
  const { hooks } = content.parsed.value;
  return { ...content, parsed: { state: 'parsed', value: hooks === undefined ? {} : { hooks } } };
}

async function readContent(file: string, path: string, room: Reading['room']): Promise<FolderFile['content']> {
  // Non-blocking, since opening a named pipe would wait for its writer for ever.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return { state: 'unreadable', reason: 'it cannot be opened' };
  try {
    const found = await handle.stat();
    if (!found.isFile()) return { state: 'unreadable', reason: 'it is no regular file' };
    if (found.size > Math.min(MAX_FILE_BYTES, room.bytes)) return { state: 'unreadable', reason: 'it is too large' };
    const bytes = Buffer.alloc(found.size + 1);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    if (bytesRead > found.size) return { state: 'unreadable', reason: 'it changes while it is read' };
    room.bytes -= bytesRead;
    const content = bytes.subarray(0, bytesRead);
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { state: 'read', sha256, text: content.toString('utf8'), parsed: parseContent(path, content) };
  } catch {
    return { state: 'unreadable', reason: 'it cannot be read' };
  } finally {
    await handle.close();
  }
}

function parseContent(path: string, bytes: Buffer): ParsedText {
  const role = roleOf(path);
  if (role === 'other' || role === 'rules') return { state: 'text' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (role === 'hooks') {
      const value = parseJson(text);
      return value === null ? { state: 'invalid', reason: 'it is no JSON' } : { state: 'parsed', value };
    }
    return { state: 'parsed', value: parseToml(text) };
  } catch {
    return { state: 'invalid', reason: role === 'hooks' ? 'it is no JSON' : 'it is no TOML' };
  }
}
