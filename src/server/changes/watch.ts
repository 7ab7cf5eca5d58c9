/**
 * Tells when the files of a work tree or its index changed, while somebody looks at them. The folders of files that git knows are watched, at
 * most `MAX_FOLDERS`, and git's own folder; never the ignored ones, and nothing is read from time to time.
 */
import { type FSWatcher, statSync, watch as watchFolder } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversationId } from '../../contract/ids.ts';
import { ok, type Result } from '../../contract/result.ts';
import { isClosedPath } from '../../core/changes/closed-folders.ts';
import { splitNul } from '../../core/changes/parse-git.ts';
import { foldersOf } from '../../core/changes/watched-folders.ts';
import { errorCode } from '../../node/atomic-file.ts';
import type { Clock, Timer } from '../../node/clock.ts';
import type { Git } from '../../node/git.ts';
import { findWorkTree, type WorkTree } from './repository.ts';

export interface WatchOptions {
  readonly git: Git;
  readonly ownFolders: readonly string[];
  readonly onChange: (id: ConversationId) => void;
  readonly clock: Clock;
  readonly maxFolders?: number;
}

/** all: every change is told · part: too many folders, so a change in some of them is told only with a change elsewhere. */
export type Coverage = 'all' | 'part';

export interface Watches {
  /** Watches for a conversation, or goes on watching. Ends by itself `LEASE_MS` after the last call. */
  renew(id: ConversationId, cwd: string): Promise<Result<Coverage>>;
  close(): void;
}

/** Linux gives all programs of a person 8,192 watches together in its oldest configuration. */
const MAX_FOLDERS = 2_000;
/** A page renews every 30 seconds; a page that was closed is watched for at most this long. */
export const LEASE_MS = 90_000;
/** A save of an editor is several changes. */
const QUIET_MS = 100;
/** While files change all the time, a page hears of it this often. */
const BUSY_MS = 400;
/** Names that are asked about; when more changed, one of them is not ignored. */
const MAX_NAMES = 500;
/** Work trees that are watched at once. */
const MAX_TREES = 8;

interface Watched {
  readonly tree: WorkTree;
  /** By path; the number tells a folder from a later one of the same name. */
  readonly folders: Map<string, { readonly watcher: FSWatcher; readonly ino: number }>;
  /** Until when, by conversation, on the monotonic clock. */
  readonly leases: Map<ConversationId, number>;
  coverage: Coverage;
  /** Changed paths relative to the top; null: too many, or one of git's own. */
  changed: Set<string> | null;
  hasNewFolder: boolean;
  timer: Timer | null;
  firstAt: number | null;
  isFlushing: boolean;
  lease: Timer | null;
}

export function createWatches({ git, ownFolders, onChange, clock, maxFolders = MAX_FOLDERS }: WatchOptions): Watches {
  const watched = new Map<string, Promise<Result<Watched>>>();
  const open = new Set<Watched>();

  const end = (one: Watched) => {
    for (const { watcher } of one.folders.values()) watcher.close();
    one.folders.clear();
    one.timer?.cancel();
    one.lease?.cancel();
    open.delete(one);
    watched.delete(one.tree.root);
  };

  const checkLeases = (one: Watched) => {
    const now = clock.monotonicMs();
    for (const [id, until] of one.leases) if (until <= now) one.leases.delete(id);
    const last = Math.max(...one.leases.values());
    if (one.leases.size === 0) end(one);
    else one.lease = clock.setTimer(Math.max(0, last - now) + 1, () => checkLeases(one));
  };

  const soon = (one: Watched) => {
    const now = clock.monotonicMs();
    one.firstAt ??= now;
    one.timer?.cancel();
    one.timer = clock.setTimer(Math.min(QUIET_MS, Math.max(0, one.firstAt + BUSY_MS - now)), () => void flush(one));
  };

  const flush = async (one: Watched): Promise<void> => {
    if (one.isFlushing) return soon(one);
    one.isFlushing = true;
    const { changed, hasNewFolder } = one;
    Object.assign(one, { changed: new Set(), hasNewFolder: false, firstAt: null });
    try {
      if (changed === null || (await hasOpenPath(git, one.tree, changed)))
        for (const id of one.leases.keys()) onChange(id);
      // What was made in a new folder before it was watched is found by looking again until nothing is new.
      if (hasNewFolder && (await watchFolders(one, [...(changed ?? [])]))) {
        one.changed = null;
        one.hasNewFolder = true;
        soon(one);
      }
    } finally {
      one.isFlushing = false;
    }
  };

  const note = (one: Watched, folder: string, name: string | null) => {
    if (!open.has(one)) return;
    const path = name === null ? folder : folder === '' ? name : `${folder}/${name}`;
    if (path === '.git' || isClosedPath(Buffer.from(path), one.tree.closed)) return;
    if (one.changed !== null && one.changed.size < MAX_NAMES) one.changed.add(path);
    else one.changed = null;
    void lstat(join(one.tree.root, path)).then(
      (found) => {
        if (!found.isDirectory() || one.folders.get(path)?.ino === found.ino) return;
        // Another folder of the same name, as after a checkout: the watches look at the one that is gone.
        drop(one, path);
        one.hasNewFolder = true;
        soon(one);
      },
      () => drop(one, path),
    );
    soon(one);
  };

  const drop = (one: Watched, path: string) => {
    for (const [key, { watcher }] of one.folders) {
      if (key !== path && !key.startsWith(`${path}/`)) continue;
      watcher.close();
      one.folders.delete(key);
    }
  };

  /** False if the system has no room for it. */
  const add = (one: Watched, key: string, path: string, listener: (name: string | null) => void): boolean => {
    if (!open.has(one)) return true;
    try {
      const { ino } = statSync(path);
      const watcher = watchFolder(path, { persistent: false }, (_event, name) => listener(name));
      watcher.on('error', () => {
        watcher.close();
        one.folders.delete(key);
      });
      one.folders.set(key, { watcher, ino });
      return true;
    } catch (error) {
      // A folder that has just gone needs no watch.
      return ['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error));
    }
  };

  /** True if a folder is watched that was not before. */
  const watchFolders = async (one: Watched, fresh: readonly string[]): Promise<boolean> => {
    const listed = await listFolders(git, one.tree, fresh);
    let isNew = false;
    for (const folder of listed) {
      if (one.folders.has(folder) || isClosedPath(Buffer.from(folder), one.tree.closed)) continue;
      const hasRoom = one.folders.size < maxFolders;
      if (!hasRoom || !add(one, folder, join(one.tree.root, folder), (name) => note(one, folder, name))) {
        one.coverage = 'part';
        break;
      }
      isNew = true;
    }
    return isNew;
  };

  const begin = async (tree: WorkTree): Promise<Result<Watched>> => {
    const one: Watched = {
      tree,
      folders: new Map(),
      leases: new Map(),
      coverage: 'all',
      changed: new Set(),
      hasNewFolder: false,
      timer: null,
      firstAt: null,
      isFlushing: false,
      lease: null,
    };
    open.add(one);
    const ownPlaces = [tree.gitDir, join(tree.gitDir, 'logs'), tree.commonDir, join(tree.commonDir, 'refs/heads')];
    for (const place of new Set(ownPlaces)) {
      // The second character keeps these apart from folders of the work tree.
      add(one, `\0${place}`, place, (name) => {
        if (!isOfGit(name)) return;
        one.changed = null;
        soon(one);
      });
    }
    await watchFolders(one, []);
    return ok(one);
  };

  return {
    async renew(id, cwd) {
      const found = await findWorkTree(git, cwd, ownFolders);
      if (!found.ok) return found;
      const { root } = found.value;
      const oldest = [...watched.keys()].find((other) => other !== root);
      if (!watched.has(root) && watched.size >= MAX_TREES && oldest !== undefined) {
        const other = await watched.get(oldest);
        if (other?.ok) end(other.value);
      }
      const beginning = watched.get(root) ?? begin(found.value);
      watched.set(root, beginning);
      const one = await beginning;
      if (!one.ok) return one;
      one.value.leases.set(id, clock.monotonicMs() + LEASE_MS);
      one.value.lease?.cancel();
      one.value.lease = clock.setTimer(LEASE_MS + 1, () => checkLeases(one.value));
      return ok(one.value.coverage);
    },
    close() {
      for (const one of open) end(one);
    },
  };
}

/** Files of git's folder whose change shows: the index, HEAD, refs, a merge or a rebase. A lock is no change yet. */
function isOfGit(name: string | null): boolean {
  return name === null || (!name.endsWith('.lock') && !/^(COMMIT_EDITMSG|gc\.pid|objects|\.probe)/.test(name));
}

/** Whether one of the paths is not ignored. */
async function hasOpenPath(git: Git, tree: WorkTree, paths: ReadonlySet<string>): Promise<boolean> {
  if (paths.size === 0) return false;
  const stdin = Buffer.from([...paths].map((path) => `./${path}\0`).join(''));
  const env = { GIT_LITERAL_PATHSPECS: '0' };
  const answer = await git({ cwd: tree.root, args: ['check-ignore', '-z', '--stdin'], stdin, env, timeoutMs: 10_000 });
  // A path that git does not take, such as one behind a symbolic link, counts as a change.
  return answer.kind !== 'ended' || answer.code > 1 || splitNul(answer.stdout).length < paths.size;
}

/** Folders with files that git knows or would take, and new ones that are not ignored; those near the top first. */
async function listFolders(git: Git, tree: WorkTree, fresh: readonly string[]): Promise<readonly string[]> {
  const args = ['ls-files', '-c', '-o', '-z', '--exclude-standard'];
  const answer = await git({ cwd: tree.root, args });
  const listed = answer.kind === 'ended' && answer.code === 0 ? foldersOf(splitNul(answer.stdout)) : [''];
  const empty: string[] = [];
  for (const path of fresh) {
    const isFolder = (await lstat(join(tree.root, path)).catch(() => null))?.isDirectory() ?? false;
    if (isFolder && (await hasOpenPath(git, tree, new Set([path]))))
      empty.push(path, ...(await foldersIn(tree.root, path)));
  }
  return [...new Set([...listed, ...empty])];
}

/** Empty folders of a new folder, one level: more come with their own events. */
async function foldersIn(root: string, path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && entry.name !== '.git').map(({ name }) => `${path}/${name}`);
}
