/** The directories whose `.codex` folder Codex loads for a working directory: from there up to the top of the repository, as Codex does it. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ancestorsOf } from '../../core/trust/project-levels.ts';
import type { PathStamps } from './path-stamps.ts';

export interface ProjectPlaces {
  /** Without links, as Codex takes it. The path as it was given if it cannot be resolved. */
  readonly cwd: string;
  /** Those that are there. */
  readonly folders: readonly FolderPlace[];
}

interface FolderPlace {
  readonly path: string;
  /** The same directory in the main checkout. In a linked worktree Codex takes the hooks from there; null elsewhere. */
  readonly hooksPath: string | null;
}

/** A `.git` file and a `commondir` file hold one path. */
const MAX_LINK_BYTES = 8_192;

export async function findFolders(given: string, codexHome: string, stamps: PathStamps): Promise<ProjectPlaces> {
  const cwd = (await stamps.realpath(given)) ?? resolve(given);
  const home = (await stamps.realpath(codexHome)) ?? resolve(codexHome);
  const above = ancestorsOf(cwd);
  const marks = await Promise.all(above.map(async (path) => (await stamps.identity(join(path, '.git'))) !== null));
  const top = marks.indexOf(true);
  const root = above[top];
  const main = root === undefined ? null : await mainCheckout(root, stamps);
  // Without a repository, Codex looks into the working directory alone.
  const paths = top < 0 ? above.slice(0, 1) : above.slice(0, top + 1);
  const folders: FolderPlace[] = [];
  for (const path of paths) {
    const folder = join(path, '.codex');
    const isThere = (await stamps.identity(folder))?.isDirectory() === true;
    // The second is the person's own configuration, which Codex loads anyway.
    if (!isThere || (await stamps.realpath(folder)) === home) continue;
    folders.push({ path, hooksPath: main === null || root === undefined ? null : join(main, relative(root, path)) });
  }
  return { cwd, folders };
}

/** Where the repository of a linked worktree is checked out; null if `root` is no linked worktree. */
async function mainCheckout(root: string, stamps: PathStamps): Promise<string | null> {
  const link = /^gitdir: (.+)$/m.exec(await readSmall(join(root, '.git'), stamps))?.[1];
  if (link === undefined) return null;
  const gitDir = resolve(root, link.trim());
  const common = (await readSmall(join(gitDir, 'commondir'), stamps)).trim();
  if (common === '') return null;
  const shared = resolve(gitDir, common);
  const main = await stamps.realpath(dirname(shared));
  return basename(shared) === '.git' && main !== root ? main : null;
}

/** Empty for whatever is no small file. */
async function readSmall(path: string, stamps: PathStamps): Promise<string> {
  // Not the times of a directory: those of `.git` change with every commit.
  if ((await stamps.identity(path))?.isFile() !== true) return '';
  const found = await stamps.content(path);
  if (found === null || !found.isFile() || found.size > MAX_LINK_BYTES) return '';
  // It may have become a pipe since: opening must not wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return '';
  try {
    return await file.readFile('utf8');
  } catch {
    return '';
  } finally {
    await file.close();
  }
}
