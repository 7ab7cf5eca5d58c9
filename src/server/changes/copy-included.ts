/**
 * Copies the ignored files that `.worktreeinclude` names, such as `.env`, into a new work tree. The file has the patterns of a `.gitignore`.
 * Regular files only, and no symbolic link is followed on either side: the branch in the new work tree may have one in the place of a folder.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import type { IncludedFiles } from '../../contract/worktrees.ts';
import { isClosedPath } from '../../core/changes/closed-folders.ts';
import { splitNul } from '../../core/changes/parse-git.ts';
import { pathText } from '../../core/changes/path-text.ts';
import { errorCode } from '../../node/atomic-file.ts';
import type { Git } from '../../node/git.ts';
import { openPlace } from './inside-tree.ts';
import type { WorkTree } from './repository.ts';

export interface CopiedFiles {
  readonly copied: readonly string[];
  /** What was named and not copied, in words. */
  readonly warnings: readonly string[];
}

const INCLUDE_FILE = '.worktreeinclude';
/** Far more than anybody lists by hand. */
const MAX_PATTERNS = 200;
const MAX_INCLUDE_BYTES = 64 * 1024;
/** Settings and keys, not builds: those are made anew. */
const MAX_FILES = 1_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** More than a person reads. */
const MAX_LISTED = 200;

/** What would be copied now, and what not although it is named. Nothing is read of the files but their kind and size. */
export async function listIncluded(git: Git, from: WorkTree | null): Promise<IncludedFiles> {
  const patterns = from === null ? [] : await readPatterns(from.root);
  if (from === null || patterns.length === 0) return { files: [], count: 0, warnings: [] };
  const named = (await listNamed(git, from, patterns)).filter((path) => !isClosedPath(path, from.closed));
  const files: string[] = [];
  const warnings: string[] = [];
  let bytes = 0;
  for (const path of named.slice(0, MAX_FILES)) {
    const size = await sizeOf(from.root, path);
    if (size === null) warnings.push(notRegular(path));
    else if (bytes + size > MAX_BYTES) warnings.push(tooMuch(path));
    else files.push(pathText(path));
    bytes += size !== null && bytes + size <= MAX_BYTES ? size : 0;
  }
  if (named.length > MAX_FILES) warnings.push(tooMany(named.length));
  return { files: files.slice(0, MAX_LISTED), count: files.length, warnings: warnings.slice(0, MAX_LISTED) };
}

const tooMuch = (path: Uint8Array) =>
  `${pathText(path)} is not copied: the files of ${INCLUDE_FILE} are more than 64 MiB together`;
const notRegular = (path: Uint8Array) =>
  `${pathText(path)} is not copied: it is no regular file, or something is in its place`;
const tooMany = (count: number) => `${INCLUDE_FILE} names ${count} files; only the first ${MAX_FILES} are copied`;

/** Null: no regular file. */
async function sizeOf(root: string, path: Uint8Array): Promise<number | null> {
  const place = await openPlace(root, path, false);
  if (place === null) return null;
  try {
    const stats = await lstat(place.at(place.name));
    return stats.isFile() ? stats.size : null;
  } catch {
    return null;
  } finally {
    await place.close();
  }
}

/** `from`: null if all of it belongs to Signalbox or Codex. Files of its closed folders are never copied. */
export async function copyIncluded(git: Git, from: WorkTree | null, toRoot: string): Promise<CopiedFiles> {
  const patterns = from === null ? [] : await readPatterns(from.root);
  if (from === null || patterns.length === 0) return { copied: [], warnings: [] };
  const named = (await listNamed(git, from, patterns)).filter((path) => !isClosedPath(path, from.closed));
  const copied: string[] = [];
  const warnings: string[] = [];
  let bytes = 0;
  for (const path of named.slice(0, MAX_FILES)) {
    const content = await readFrom(from.root, path, MAX_BYTES - bytes);
    if (content === 'too_large') {
      warnings.push(tooMuch(path));
      continue;
    }
    const isWritten = content !== null && (await writeTo(toRoot, path, content));
    if (isWritten) copied.push(pathText(path));
    else warnings.push(notRegular(path));
    bytes += content?.bytes.length ?? 0;
  }
  if (named.length > MAX_FILES) warnings.push(tooMany(named.length));
  return { copied, warnings };
}

async function readPatterns(root: string): Promise<readonly string[]> {
  const found = await readFrom(root, Buffer.from(INCLUDE_FILE), MAX_INCLUDE_BYTES);
  if (found === null || found === 'too_large') return [];
  const lines = found.bytes.toString('utf8').split(/\r?\n/);
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#') && !line.includes('\0'))
    .slice(0, MAX_PATTERNS);
}

/** Untracked files that a pattern names and that the repository ignores. Others belong into a commit. */
async function listNamed(git: Git, { root }: WorkTree, patterns: readonly string[]): Promise<readonly Uint8Array[]> {
  const args = ['ls-files', '-o', '-i', '-z', ...patterns.map((pattern) => `--exclude=${pattern}`)];
  const listed = await git({ cwd: root, args, timeoutMs: 30_000 });
  if (listed.kind !== 'ended' || listed.code !== 0) return [];
  const paths = splitNul(listed.stdout).filter((path) => path.at(-1) !== 0x2f);
  const stdin = Buffer.concat(paths.flatMap((path) => [Buffer.from('./'), path, Buffer.from([0])]));
  const env = { GIT_LITERAL_PATHSPECS: '0' };
  const ignored = await git({ cwd: root, args: ['check-ignore', '-z', '--stdin'], env, stdin, timeoutMs: 30_000 });
  return ignored.kind === 'ended' && ignored.code === 0 ? splitNul(ignored.stdout).map((path) => path.subarray(2)) : [];
}

interface Content {
  readonly bytes: Buffer;
  readonly mode: number;
}

/** Null: no regular file. A pipe or a device is never read. */
async function readFrom(root: string, path: Uint8Array, maxBytes: number): Promise<Content | 'too_large' | null> {
  const place = await openPlace(root, path, false);
  if (place === null) return null;
  let file: FileHandle | null = null;
  try {
    file = await open(place.at(place.name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) return null;
    if (stats.size > maxBytes) return 'too_large';
    return { bytes: await file.readFile(), mode: stats.mode & 0o777 };
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'EACCES', 'ENXIO', 'EISDIR'].includes(errorCode(error))) return null;
    throw error;
  } finally {
    await file?.close();
    await place.close();
  }
}

/** False: something is there already, or a folder on the way is none. */
async function writeTo(root: string, path: Uint8Array, { bytes, mode }: Content): Promise<boolean> {
  const place = await openPlace(root, path, true);
  if (place === null) return false;
  let file: FileHandle | null = null;
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    file = await open(place.at(place.name), flags, mode);
    await file.writeFile(bytes);
    return true;
  } catch (error) {
    if (['EEXIST', 'ELOOP', 'EACCES'].includes(errorCode(error))) return false;
    throw error;
  } finally {
    await file?.close();
    await place.close();
  }
}
