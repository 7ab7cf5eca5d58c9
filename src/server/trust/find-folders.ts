/** The directories whose `.codex` folder Codex loads for a working directory: from there up to the top of the repository, as Codex does it. */
import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ancestorsOf } from '../../core/trust/project-levels.ts';

export interface ProjectPlaces {
  /** Without links, as Codex takes it. The path as it was given if it cannot be resolved. */
  readonly cwd: string;
  readonly folders: readonly FolderPlace[];
}

interface FolderPlace {
  readonly path: string;
  /** The same directory in the main checkout. In a linked worktree Codex takes the hooks from there; null elsewhere. */
  readonly hooksPath: string | null;
}

/** A `.git` file and a `commondir` file hold one path. */
const MAX_LINK_BYTES = 8_192;

export async function findFolders(given: string, codexHome: string): Promise<ProjectPlaces> {
  const cwd = await realpath(given).catch(() => resolve(given));
  const home = await realpath(codexHome).catch(() => resolve(codexHome));
  const above = ancestorsOf(cwd);
  const marks = await Promise.all(above.map((path) => exists(join(path, '.git'))));
  const top = marks.indexOf(true);
  const root = above[top];
  const main = root === undefined ? null : await mainCheckout(root);
  // Without a repository, Codex looks into the working directory alone.
  const paths = top < 0 ? above.slice(0, 1) : above.slice(0, top + 1);
  const folders: FolderPlace[] = [];
  for (const path of paths) {
    // The person's own configuration, which Codex loads anyway.
    if ((await realpath(join(path, '.codex')).catch(() => null)) === home) continue;
    folders.push({ path, hooksPath: main === null || root === undefined ? null : join(main, relative(root, path)) });
  }
  return { cwd, folders };
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

/** Where the repository of a linked worktree is checked out; null if `root` is no linked worktree. */
async function mainCheckout(root: string): Promise<string | null> {
  const link = /^gitdir: (.+)$/m.exec(await readSmall(join(root, '.git')))?.[1];
  if (link === undefined) return null;
  const gitDir = resolve(root, link.trim());
  const common = (await readSmall(join(gitDir, 'commondir'))).trim();
  if (common === '') return null;
  const shared = resolve(gitDir, common);
  const main = await realpath(dirname(shared)).catch(() => null);
  return basename(shared) === '.git' && main !== root ? main : null;
}

/** Empty for whatever is no small file. */
async function readSmall(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile() || found.size > MAX_LINK_BYTES) return '';
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return '';
  try {
    return await file.readFile('utf8');
  } catch {
    return '';
  } finally {
    await file.close();
  }
}
