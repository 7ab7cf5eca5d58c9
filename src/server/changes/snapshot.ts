/**
 * Reads the files of a work tree into a tree object, through an index of our own. Ignored files stay out, the person's index is not
 * touched, and no program but git runs. A file that changes while it is read is either in as it was or as it is.
 */
import { access, constants, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LeftOut, Snapshot } from '../../contract/changes.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { isClosedPath } from '../../core/changes/closed-folders.ts';
import { type DirtyPath, parseDirtyPaths, splitNul } from '../../core/changes/parse-git.ts';
import { pathText } from '../../core/changes/path-text.ts';
import type { Git, GitAnswer } from '../../node/git.ts';
import { fileStamp } from './file-stamp.ts';
import { copyExcludes, type OwnGitDir, seedIndex, type WorkTree } from './repository.ts';

export interface SnapshotLimits {
  /** A source file is far smaller; a larger one is a build product or data. */
  readonly maxFileBytes: number;
  /** New files of one snapshot together; a forgotten build folder must not fill the disk. */
  readonly maxNewBytes: number;
}

export const SNAPSHOT_LIMITS: SnapshotLimits = { maxFileBytes: 32 * 1024 * 1024, maxNewBytes: 256 * 1024 * 1024 };
/** Enough to show; a person who has more problems than this has one problem. */
const MAX_LISTED = 200;
/** Calls of `lstat` at once: more do not make a disk faster. */
const PARALLEL = 32;

export type ReadTree = Omit<Snapshot, 'commit'>;

export interface SnapshotOptions {
  readonly git: Git;
  readonly own: OwnGitDir;
  readonly tree: WorkTree;
  readonly limits?: SnapshotLimits;
  /** When the turn began, in unix milliseconds; null while it has not begun. Asked after the files were read. */
  readonly begunAtMs: () => number | null;
  readonly now: () => number;
}

interface Candidate extends DirtyPath {
  readonly isNew: boolean;
}

export async function readWorkTree(options: SnapshotOptions): Promise<Result<ReadTree>> {
  const { own, tree, limits = SNAPSHOT_LIMITS } = options;
  await copyExcludes(own, tree);
  if ((await fileStamp(own.indexFile)) === null) await seedIndex(options.git, own, tree);
  const cleared = await removeClosed(own);
  if (!cleared.ok) return cleared;
  const at = new Date(options.now()).toISOString();
  const listed = await listCandidates(options);
  if (!listed.ok) return listed;
  const sorted = await sortCandidates(tree.root, listed.value.candidates, limits);
  const leftOut = [...listed.value.leftOut, ...sorted.leftOut];
  const removed = await update(own, ['--force-remove'], sorted.remove);
  if (!removed.ok) return removed;
  const added = await addPaths(own, sorted.add, leftOut);
  if (!added.ok) return added;
  const late = await findLate(tree.root, listed.value.candidates, options.begunAtMs());
  const kept = await keepKnown(own, tree, late);
  if (!kept.ok) return kept;
  const written = await own.run({ args: ['write-tree', '--missing-ok'] });
  if (written.kind !== 'ended' || written.code !== 0) return gitFailure('write-tree', written);
  return ok({
    tree: written.stdout.toString().trim(),
    at,
    late: late.map(({ path }) => pathText(path)),
    left_out: leftOut.slice(0, MAX_LISTED),
    stored_bytes: sorted.addBytes,
  });
}

/** Files of Signalbox and Codex that the person has committed, or that an earlier snapshot had, leave our index. */
async function removeClosed(own: OwnGitDir): Promise<Result<null>> {
  if (own.closed.length === 0) return ok(null);
  const listed = await own.run({ args: ['ls-files', '-c', '-z', '--', ...own.closed] });
  if (listed.kind !== 'ended' || listed.code !== 0) return gitFailure('ls-files', listed);
  return update(own, ['--force-remove'], splitNul(listed.stdout));
}

async function listCandidates({ git, own, tree }: SnapshotOptions) {
  const [dirty, untracked, forced] = await Promise.all([
    own.run({ args: ['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=dirty'] }),
    own.run({ args: ['ls-files', '-o', '-z', '--exclude-standard'] }),
    listForced(git, own, tree),
  ]);
  if (dirty.kind !== 'ended' || dirty.code !== 0) return gitFailure('diff-files', dirty);
  if (untracked.kind !== 'ended' || untracked.code !== 0) return gitFailure('ls-files', untracked);
  const found = [...splitNul(untracked.stdout), ...forced].filter((path) => !isClosedPath(path, tree.closed));
  const leftOut: LeftOut[] = found
    .filter(isFolder)
    .map((path) => ({ path: pathText(path.subarray(0, -1)), reason: 'repository' as const }));
  const isNew = (path: Uint8Array): Candidate => ({ path, mode: '000000', oid: '', isNew: true });
  const candidates: Candidate[] = [
    ...parseDirtyPaths(dirty.stdout).map((one) => ({ ...one, isNew: false })),
    ...found.filter((path) => !isFolder(path)).map(isNew),
  ];
  return ok({ candidates, leftOut });
}

/** Git names a folder with a repository of its own, and nothing else, with a slash at the end. */
const isFolder = (path: Uint8Array): boolean => path.at(-1) === 0x2f;

/** The index of the person that each of our indexes has seen last. */
const seenIndexes = new Map<string, string>();

/** Files that match `.gitignore` and are in the person's index all the same. Asked only after that index has changed. */
async function listForced(git: Git, own: OwnGitDir, tree: WorkTree): Promise<Uint8Array[]> {
  const stamp = await fileStamp(join(tree.gitDir, 'index'));
  if (stamp === null || seenIndexes.get(own.path) === stamp) return [];
  const answer = await git({ cwd: tree.root, args: ['ls-files', '-z', '-c', '-i', '--exclude-standard'] });
  if (answer.kind !== 'ended' || answer.code !== 0) return [];
  seenIndexes.set(own.path, stamp);
  return splitNul(answer.stdout).filter((path) => !isFolder(path));
}

interface Sorted {
  readonly add: Uint8Array[];
  readonly remove: Uint8Array[];
  readonly leftOut: LeftOut[];
  /** Of the files in `add`. */
  addBytes: number;
}

async function sortCandidates(root: string, candidates: readonly Candidate[], limits: SnapshotLimits): Promise<Sorted> {
  const sorted: Sorted = { add: [], remove: [], leftOut: [], addBytes: 0 };
  const parents = new Map<string, Promise<boolean>>();
  let newBytes = 0;
  const leaveOut = (path: Uint8Array, reason: LeftOut['reason']) => {
    sorted.leftOut.push({ path: pathText(path), reason });
    sorted.remove.push(path);
  };
  const look = async ({ path, mode, isNew }: Candidate): Promise<void> => {
    const full = fullPath(root, path);
    const found = (await isBehindLink(root, path, parents)) ? null : await lstat(full).catch(() => null);
    if (found === null) sorted.remove.push(path);
    // A submodule is a folder, and its entry is the commit that it is at; where another entry has become a folder, that entry is gone.
    else if (found.isDirectory()) (mode === '160000' ? sorted.add : sorted.remove).push(path);
    else if (found.isSymbolicLink()) sorted.add.push(path);
    else if (!found.isFile()) sorted.remove.push(path);
    else if (found.size > limits.maxFileBytes) leaveOut(path, 'too_large');
    else if (isNew && newBytes + found.size > limits.maxNewBytes) leaveOut(path, 'too_large');
    else {
      newBytes += isNew ? found.size : 0;
      const isReadable = await access(full, constants.R_OK).then(
        () => true,
        () => false,
      );
      if (isReadable) {
        sorted.add.push(path);
        sorted.addBytes += found.size;
      } else leaveOut(path, 'unreadable');
    }
  };
  for (let at = 0; at < candidates.length; at += PARALLEL)
    await Promise.all(candidates.slice(at, at + PARALLEL).map(look));
  return sorted;
}

const fullPath = (root: string, path: Uint8Array): Buffer => Buffer.concat([Buffer.from(`${root}/`), path]);

/** Whether a folder on the way to the path is a symbolic link: then the path is not in the work tree. */
async function isBehindLink(root: string, path: Uint8Array, known: Map<string, Promise<boolean>>): Promise<boolean> {
  const slash = path.lastIndexOf(0x2f);
  if (slash < 0) return false;
  const parent = path.subarray(0, slash);
  const key = Buffer.from(parent).toString('latin1');
  const look = async () =>
    (await isBehindLink(root, parent, known)) ||
    ((await lstat(fullPath(root, parent)).catch(() => null))?.isSymbolicLink() ?? false);
  const answer = known.get(key) ?? look();
  known.set(key, answer);
  return answer;
}

/** Adds what can be read. Where git refuses a list, its halves are tried, so that one bad file costs only itself. */
async function addPaths(own: OwnGitDir, paths: readonly Uint8Array[], leftOut: LeftOut[]): Promise<Result<null>> {
  const done = await update(own, ['--add', '--remove', '--replace'], paths);
  if (done.ok || done.error.code !== 'conflict') return done;
  const [only] = paths;
  if (paths.length === 1 && only !== undefined) {
    leftOut.push({ path: pathText(only), reason: 'unreadable' });
    return update(own, ['--force-remove'], paths);
  }
  const half = Math.ceil(paths.length / 2);
  const first = await addPaths(own, paths.slice(0, half), leftOut);
  return first.ok ? addPaths(own, paths.slice(half), leftOut) : first;
}

const NUL = Buffer.from([0]);

async function update(own: OwnGitDir, args: readonly string[], paths: readonly Uint8Array[]): Promise<Result<null>> {
  if (paths.length === 0) return ok(null);
  const stdin = Buffer.concat(paths.flatMap((path) => [path, NUL]));
  const answer = await own.run({ args: ['update-index', ...args, '-z', '--stdin'], stdin });
  if (answer.kind !== 'ended') return gitFailure('update-index', answer);
  if (answer.code === 0) return ok(null);
  // A full disk is no fault of one path.
  return /No space left|Disk quota/.test(answer.stderr)
    ? fail('storage_full', 'the disk is full: no checkpoint could be made')
    : fail('conflict', answer.stderr);
}

/** Files that changed after the turn began, as far as their times tell. A file that is gone is judged by its folder. */
async function findLate(
  root: string,
  candidates: readonly Candidate[],
  begunAtMs: number | null,
): Promise<Candidate[]> {
  if (begunAtMs === null) return [];
  const late: Candidate[] = [];
  for (const candidate of candidates) {
    if (late.length >= MAX_LISTED * 10) break;
    const full = fullPath(root, candidate.path);
    const found = await lstat(full).catch(() => null);
    const changedAt =
      found?.ctimeMs ?? (await lstat(full.subarray(0, full.lastIndexOf('/'))).catch(() => null))?.mtimeMs;
    // The clock of a file system ticks every few milliseconds.
    if (changedAt === undefined || changedAt >= begunAtMs - 10) late.push(candidate);
  }
  return late;
}

/**
 * A late file stays in the snapshot as our index knew it before: as the last checkpoint, or the person's index, had it. That is the best
 * that is known, so the turn's changes show the file; it is marked, since somebody may have edited it in between.
 */
async function keepKnown(own: OwnGitDir, tree: WorkTree, late: readonly Candidate[]): Promise<Result<null>> {
  const none = '0'.repeat(tree.objectFormat === 'sha256' ? 64 : 40);
  const known = late.filter(({ oid, isNew }) => isNew || oid !== none);
  if (known.length === 0) return ok(null);
  const lines = known.flatMap(({ path, mode, oid, isNew }) => [
    Buffer.from(isNew ? `0 ${none}\t` : `${mode} ${oid}\t`),
    path,
    NUL,
  ]);
  const answer = await own.run({
    args: ['update-index', '--replace', '-z', '--index-info'],
    stdin: Buffer.concat(lines),
  });
  return answer.kind === 'ended' && answer.code === 0 ? ok(null) : gitFailure('update-index', answer);
}

export function gitFailure(what: string, answer: GitAnswer): Result<never> {
  switch (answer.kind) {
    case 'ended':
      return /No space left|Disk quota/.test(answer.stderr)
        ? fail('storage_full', 'the disk is full: git could not write')
        : fail('internal', `git ${what} failed (${answer.code}): ${answer.stderr.slice(0, 500)}`);
    case 'not_started':
      return fail('not_found', `git cannot be started: ${answer.reason}`);
    case 'time_limit':
      return fail('no_answer', `git ${what} took too long and was stopped`);
    case 'too_long':
      return fail('too_large', `git ${what} answered with more than is read`);
    default:
      return answer satisfies never;
  }
}
