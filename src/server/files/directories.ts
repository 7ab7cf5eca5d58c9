/** The directories of a directory, for choosing where to work, and those that conversations have worked in. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import { errorCode } from '../../node/atomic-file.ts';
import { expandPath, isDirectory } from '../../node/path-kind.ts';

export interface DirectoryList {
  readonly path: string;
  readonly parent: string | null;
  readonly directories: readonly { readonly name: string; readonly path: string; readonly is_hidden: boolean }[];
  readonly is_complete: boolean;
}

/** A directory of mail or of a cache may hold millions; nobody picks from that. */
const MAX_ENTRIES = 20_000;
/** What a picker shows above the tree. */
const MAX_RECENT = 20;
/** Looked at before the search for existing ones ends: those on a dead network mount each cost time. */
const MAX_RECENT_LOOKS = 60;

export async function listDirectories(typed: string, limit: number): Promise<Result<DirectoryList>> {
  const path = expandPath(typed);
  if (path === null) return fail('invalid_request', 'give an absolute path, or one that begins with ~/');
  let entries: Awaited<ReturnType<typeof readEntries>>;
  try {
    entries = await readEntries(path);
  } catch (error) {
    return refusal(path, errorCode(error));
  }
  const names = (await Promise.all(entries.map((entry) => nameOfDirectory(path, entry)))).filter(
    (name) => name !== null,
  );
  const sorted = names.sort(
    (a, b) => Number(a.startsWith('.')) - Number(b.startsWith('.')) || a.localeCompare(b, 'en', { numeric: true }),
  );
  return ok({
    path,
    parent: path === '/' ? null : dirname(path),
    directories: sorted
      .slice(0, limit)
      .map((name) => ({ name, path: join(path, name), is_hidden: name.startsWith('.') })),
    is_complete: sorted.length <= limit && entries.length < MAX_ENTRIES,
  });
}

/** Each once, in the order given, as far as they still exist. */
export async function existingDirectories(paths: readonly string[]): Promise<string[]> {
  const unique = [...new Set(paths)].filter((path) => path !== '').slice(0, MAX_RECENT_LOOKS);
  const found = await Promise.all(unique.map((path) => isDirectory(path)));
  return unique.filter((_path, at) => found[at]).slice(0, MAX_RECENT);
}

async function readEntries(path: string) {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).slice(0, MAX_ENTRIES);
}

/** A link counts as what it leads to. */
async function nameOfDirectory(
  path: string,
  entry: Awaited<ReturnType<typeof readEntries>>[number],
): Promise<string | null> {
  return entry.isDirectory() || (await isDirectory(join(path, entry.name))) ? entry.name : null;
}

function refusal(path: string, code: string): Result<never> {
  if (code === 'EACCES' || code === 'EPERM') return fail('forbidden', `the directory ${path} may not be read`);
  if (code === 'ENOENT' || code === 'ENOTDIR') return fail('missing_cwd', `there is no directory ${path}`);
  return fail('missing_cwd', `the directory ${path} cannot be read (${code})`);
}
