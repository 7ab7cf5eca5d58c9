/**
 * Finds what a repository itself names to be run or to lead git elsewhere: its hooks, the settings of its configuration, of its submodules,
 * and the hooks of remotes on this disk. Reading runs none of it. The hash covers names, values and contents.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ok, type Result } from '../../contract/result.ts';
import type { RepositoryProgram } from '../../contract/ship.ts';
import { parseIndex } from '../../core/changes/parse-git.ts';
import {
  type ConfigEntry,
  findLocalRemotes,
  findSettings,
  HOOK_NAMES,
  lastOf,
  parseConfig,
} from '../../core/changes/repository-programs.ts';
import { isInside } from '../../core/conversations/settings.ts';
import type { Git } from '../../node/git.ts';
import { expandPath } from '../../node/path-kind.ts';
import type { WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';

export interface FoundPrograms {
  readonly items: readonly RepositoryProgram[];
  readonly hash: string;
  /** False: git is told that there are none, so that a hook that appears later does not run. */
  readonly hasHooks: boolean;
  readonly config: readonly ConfigEntry[];
  /** What a decision is kept under. Where the hooks are files of the work tree, each work tree has its own. */
  readonly key: string;
}

/** More than a person reads; the hash is over all. */
const MAX_ITEMS = 200;
/** Hook managers keep some dozens of scripts. */
const MAX_FILES = 500;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 4;
/** Each costs one git process. */
const MAX_SUBMODULES = 50;

export async function findPrograms(git: Git, tree: WorkTree): Promise<Result<FoundPrograms>> {
  const config = await readConfig(git, tree.root);
  if (!config.ok) return config;
  const items: RepositoryProgram[] = findSettings(config.value).map(({ key, value }) => ({
    kind: 'setting',
    name: key,
    detail: value,
  }));
  const digest = createHash('sha256');
  const included = await readIncluded(
    git,
    tree.root,
    { config: config.value, folder: tree.commonDir, depth: 0 },
    digest,
  );
  for (const { key, value } of findSettings(included)) items.push({ kind: 'setting', name: key, detail: value });
  const hooks = await findHooks(tree, config.value, digest);
  items.push(...hooks.items);
  for (const { name, path } of findLocalRemotes(config.value)) {
    const full = resolve(tree.root, path);
    items.push({ kind: 'remote', name, detail: full });
    for (const folder of [full, `${full}.git`, join(full, '.git')]) {
      await digestFolder(join(folder, 'hooks'), digest);
      await digestFile(join(folder, 'config'), digest);
    }
  }
  items.push(...(await findInSubmodules(git, tree)));
  const unique = new Map(items.map((item) => [JSON.stringify([item.kind, item.name, item.detail]), item]));
  const sorted = [...unique.keys()].sort().join('\n');
  const shown = [...unique.values()]
    .sort((a, b) => compare(a.kind, b.kind) || compare(a.name, b.name))
    .slice(0, MAX_ITEMS);
  const hash = digest.update(sorted).digest('hex');
  const key = hooks.isInTree ? join(tree.root, '.git') : tree.commonDir;
  return ok({ items: shown, hash, hasHooks: hooks.hasHooks, config: config.value, key });
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

async function readConfig(git: Git, root: string): Promise<Result<readonly ConfigEntry[]>> {
  const answer = await git({ cwd: root, args: ['config', '--list', '--show-scope', '-z'], timeoutMs: 10_000 });
  return answer.kind === 'ended' && answer.code === 0 ? ok(parseConfig(answer.stdout)) : gitFailure('config', answer);
}

/** Files that include each other deeper than this are not read; their names count all the same. */
const MAX_INCLUDES = 5;

interface Includer {
  readonly config: readonly ConfigEntry[];
  /** Where a relative path of these settings begins. */
  readonly folder: string;
  readonly depth: number;
}

/**
 * The settings of files that the repository includes under a condition, such as on another branch: after a switch they would count. All are
 * read, whether or not the condition holds now.
 */
async function readIncluded(git: Git, root: string, from: Includer, digest: Digest): Promise<readonly ConfigEntry[]> {
  const named = from.config.filter(
    ({ key, scope }) => /^include(if\..*)?\.path$/.test(key) && (scope === 'local' || scope === 'worktree'),
  );
  const found: ConfigEntry[] = [];
  for (const { value } of named) {
    const path = expandPath(value) ?? resolve(from.folder, value);
    await digestFile(path, digest);
    const args = ['config', '--file', path, '--list', '--show-scope', '-z'];
    const answer = await git({ cwd: root, args, timeoutMs: 10_000 });
    if (answer.kind !== 'ended' || answer.code !== 0) continue;
    const config = parseConfig(answer.stdout).map((entry) => ({ ...entry, scope: 'local' }));
    const inner = { config, folder: dirname(path), depth: from.depth + 1 };
    found.push(...config, ...(inner.depth < MAX_INCLUDES ? await readIncluded(git, root, inner, digest) : []));
  }
  return found;
}

type Digest = ReturnType<typeof createHash>;

async function findHooks(
  tree: WorkTree,
  config: readonly ConfigEntry[],
  digest: Digest,
): Promise<{ readonly items: RepositoryProgram[]; readonly hasHooks: boolean; readonly isInTree: boolean }> {
  const set = lastOf(config, 'core.hookspath');
  const named = set === null || set.value === '' ? null : (expandPath(set.value) ?? set.value);
  const folder = named === null ? join(tree.commonDir, 'hooks') : resolve(tree.root, named);
  const real = await realpath(folder).catch(() => null);
  if (real === null) return { items: [], hasHooks: false, isInTree: false };
  const isOfRepository =
    set === null ||
    set.scope === 'local' ||
    set.scope === 'worktree' ||
    [tree.root, tree.commonDir, tree.gitDir].some((own) => isInside(own, real));
  const files = await digestFolder(real, digest);
  // A folder that the person's own configuration names, outside the repository, is the person's.
  if (!isOfRepository) return { items: [], hasHooks: true, isInTree: false };
  const items = files
    .filter(({ path, isProgram }) => isProgram && HOOK_NAMES.has(path))
    .map(({ path }): RepositoryProgram => ({ kind: 'hook', name: path, detail: join(real, path) }));
  const isInTree = isInside(tree.root, real) && !isInside(tree.commonDir, real);
  return { items, hasHooks: items.length > 0, isInTree };
}

interface ReadFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly isProgram: boolean;
}

/** Every file but the samples that git brings; what is beyond the limits is part of the hash by its count only. */
async function digestFolder(folder: string, digest: Digest, prefix = '', depth = 0): Promise<ReadFile[]> {
  const found: ReadFile[] = [];
  const names = (await readdir(join(folder, prefix)).catch(() => [])).sort();
  for (const name of names.slice(0, MAX_FILES)) {
    if (name.endsWith('.sample')) continue;
    const path = prefix === '' ? name : `${prefix}/${name}`;
    const full = join(folder, path);
    const stats = await stat(full).catch(() => null);
    if (stats?.isDirectory() && depth < MAX_DEPTH) found.push(...(await digestFolder(folder, digest, path, depth + 1)));
    if (!stats?.isFile()) continue;
    found.push({ path, isProgram: (stats.mode & 0o111) !== 0 });
    digest.update(`${path}\0${stats.mode}\0`);
    await digestFile(full, digest);
  }
  if (names.length > MAX_FILES) digest.update(`${names.length} files\0`);
  return found;
}

async function digestFile(path: string, digest: Digest): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile()) return;
  // A file this large is no script: its time and size say when it changed.
  const content = stats.size > MAX_FILE_BYTES ? `${stats.size} ${stats.mtimeMs}` : await readFile(path).catch(() => '');
  digest.update(createHash('sha256').update(content).digest());
}

/** A commit asks git for the state of each submodule, in which the submodule's own configuration counts. */
async function findInSubmodules(git: Git, tree: WorkTree): Promise<RepositoryProgram[]> {
  const listed = await git({ cwd: tree.root, args: ['ls-files', '-s', '-t', '-v', '-z'], timeoutMs: 30_000 });
  if (listed.kind !== 'ended' || listed.code !== 0) return [];
  const paths = parseIndex(listed.stdout).flatMap(({ mode, path }) =>
    mode === '160000' ? [Buffer.from(path).toString('utf8')] : [],
  );
  const items: RepositoryProgram[] = [];
  for (const path of paths.slice(0, MAX_SUBMODULES)) {
    const isThere = await stat(join(tree.root, path, '.git')).catch(() => null);
    const config = isThere === null ? null : await readConfig(git, join(tree.root, path));
    if (config?.ok !== true) continue;
    for (const { key, value } of findSettings(config.value, 'submodule'))
      items.push({ kind: 'setting', name: `${path}: ${key}`, detail: value });
  }
  if (paths.length > MAX_SUBMODULES)
    items.push({
      kind: 'setting',
      name: 'submodules',
      detail: `the settings of ${paths.length - MAX_SUBMODULES} were not read`,
    });
  return items;
}
