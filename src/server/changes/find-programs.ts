/**
 * Finds what a repository itself names to be run or to lead git elsewhere: its hooks, the settings of its configuration, of its submodules,
 * and the hooks of remotes on this disk. Reading runs none of it. The hash covers names, values and contents.
 */
import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
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
import { expandPath, realPathOf } from '../../node/path-kind.ts';
import { readRegular } from '../../node/read-regular.ts';
import { type Digest, digestFile, digestFolder } from './digest-files.ts';
import { gitDirAt, MAX_POINTER_BYTES } from './git-dir.ts';
import type { WorkTree } from './repository.ts';
import { gitFailure } from './snapshot.ts';

export interface FoundPrograms {
  readonly items: readonly RepositoryProgram[];
  readonly hash: string;
  /** False: git is told that there are none, so that a hook that appears later does not run. */
  readonly hasHooks: boolean;
  /** Some hooks are files of the work tree, which a switch or a pull replaces. */
  readonly areHooksInTree: boolean;
  readonly config: readonly ConfigEntry[];
  /** What a decision is kept under. Where the hooks are files of the work tree, each work tree has its own. */
  readonly key: string;
}

/** More than a person reads; the hash is over all. */
const MAX_ITEMS = 200;
/** Each costs one git process. */
const MAX_SUBMODULES = 50;
/** Each costs one git process too. People have one or two. */
const MAX_LOCAL_REMOTES = 20;

export async function findPrograms(git: Git, tree: WorkTree): Promise<Result<FoundPrograms>> {
  const config = await readConfig(git, tree.root);
  if (!config.ok) return config;
  const digest = createHash('sha256');
  const included = await readIncluded(git, tree.root, config.value, digest);
  if (!included.ok) return included;
  const items: RepositoryProgram[] = findSettings([...config.value, ...included.value]).map(({ key, value }) => ({
    kind: 'setting',
    name: key,
    detail: value,
  }));
  const hooks = await findHooks(tree, config.value, digest);
  items.push(...hooks.items);
  const remotes = findLocalRemotes(config.value);
  if (remotes.length > MAX_LOCAL_REMOTES)
    return fail('conflict', `this repository names more than ${MAX_LOCAL_REMOTES} remotes on this disk`);
  for (const { name, path } of remotes) {
    // Git itself reads `~` in a path without a scheme.
    const full = expandPath(path) ?? resolve(tree.root, path);
    items.push({ kind: 'remote', name, detail: full });
    await digestRemote(git, full, digest);
  }
  items.push(...(await findInSubmodules(git, tree)));
  const unique = new Map(items.map((item) => [JSON.stringify([item.kind, item.name, item.detail]), item]));
  const hash = digest.update([...unique.keys()].sort().join('\n')).digest('hex');
  const key = hooks.isInTree ? join(tree.root, '.git') : tree.commonDir;
  const { hasHooks, isInTree: areHooksInTree } = hooks;
  return ok({ items: shown([...unique.values()]), hash, hasHooks, areHooksInTree, config: config.value, key });
}

function shown(items: readonly RepositoryProgram[]): RepositoryProgram[] {
  const sorted = items.toSorted((a, b) => compare(a.kind, b.kind) || compare(a.name, b.name));
  if (sorted.length <= MAX_ITEMS) return sorted;
  const detail = `${sorted.length - MAX_ITEMS + 1} more are not shown here: read .git/config`;
  return [...sorted.slice(0, MAX_ITEMS - 1), { kind: 'setting', name: 'and more', detail }];
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const LIST = ['--list', '--show-scope', '--show-origin', '-z'];

async function readConfig(git: Git, root: string): Promise<Result<readonly ConfigEntry[]>> {
  const answer = await git({ cwd: root, args: ['config', ...LIST], timeoutMs: 10_000 });
  return answer.kind === 'ended' && answer.code === 0 ? ok(parseConfig(answer.stdout)) : gitFailure('config', answer);
}

/** Of one file, without those that it includes. Null if git does not read it. */
async function readConfigFile(git: Git, cwd: string, path: string): Promise<readonly ConfigEntry[] | null> {
  const args = ['config', '--file', path, ...LIST];
  const answer = await git({ cwd, args, timeoutMs: 10_000 });
  if (answer.kind !== 'ended' || answer.code !== 0) return null;
  return parseConfig(answer.stdout).map((entry) => ({ ...entry, scope: 'local' }));
}

/** Each costs one git process. Nobody includes more by hand. */
const MAX_INCLUDED = 50;

/**
 * The settings of files that the repository includes under a condition, such as on another branch: after a switch they would count. All are
 * read once, whether or not the condition holds now.
 */
async function readIncluded(
  git: Git,
  root: string,
  config: readonly ConfigEntry[],
  digest: Digest,
): Promise<Result<readonly ConfigEntry[]>> {
  const found: ConfigEntry[] = [];
  const waiting = [...config];
  const seen = new Set<string>();
  for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
    if (!/^include(if\..*)?\.path$/s.test(entry.key)) continue;
    if (entry.scope !== 'local' && entry.scope !== 'worktree') continue;
    // A relative path begins at the file that has it.
    const folder = dirname(resolve(root, entry.origin.replace(/^file:/, '')));
    const path = await realPathOf(expandPath(entry.value) ?? resolve(folder, entry.value));
    if (seen.has(path)) continue;
    seen.add(path);
    if (seen.size > MAX_INCLUDED)
      return fail('conflict', `the configuration of this repository includes more than ${MAX_INCLUDED} files`);
    await digestFile(path, digest);
    const isFile = (await stat(path).catch(() => null))?.isFile() ?? false;
    const inner = isFile ? await readConfigFile(git, root, path) : null;
    found.push(...(inner ?? []));
    waiting.push(...(inner ?? []));
  }
  return ok(found);
}

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
  const hooks = files.filter(({ path, isProgram }) => isProgram && HOOK_NAMES.has(path));
  const items = hooks.map(({ path }): RepositoryProgram => ({ kind: 'hook', name: path, detail: join(real, path) }));
  // A hook in git's own folder can be a link into the work tree.
  const places = [real, ...(await Promise.all(hooks.map(({ path }) => realPathOf(join(real, path)))))];
  const isInTree = places.some((place) => isInside(tree.root, place) && !isInside(tree.commonDir, place));
  return { items, hasHooks: items.length > 0, isInTree };
}

/** The repositories that git would take a path for, each with its configuration and the hooks that a push runs there. */
async function digestRemote(git: Git, full: string, digest: Digest): Promise<void> {
  const roots = [full, join(full, '.git'), `${full}.git`, join(`${full}.git`, '.git')];
  for (const root of roots) {
    const own = await gitDirAt(root);
    if (own === null) continue;
    const common = await readRegular(join(own, 'commondir'), MAX_POINTER_BYTES);
    const gitDir = common === null ? own : resolve(own, common.toString('utf8').trim());
    const file = join(gitDir, 'config');
    await digestFile(file, digest);
    const config = (await readConfigFile(git, gitDir, file)) ?? [];
    const included = await readIncluded(git, gitDir, config, digest);
    digest.update(included.ok ? '' : included.error.message);
    const set = lastOf([...config, ...(included.ok ? included.value : [])], 'core.hookspath')?.value ?? 'hooks';
    await digestFolder(expandPath(set) ?? resolve(gitDir, set), digest);
  }
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
